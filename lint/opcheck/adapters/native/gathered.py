"""Native records sorted by op, and the features that the project's own code enables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.project import Outcome, Status

from ...symbolic.collect import Reached
from ..given_up import GivenUp
from .records import Declared, FeaturesEnabled, KernelAdded, RuleAdded


@dataclass(eq=False)
class Gathered:
    """Every record about one op, each with the condition under which it is reached.

    `given_up` are the calls that may have completed it, and were not read to their end.
    """

    declared: list[Reached[Declared]] = field(default_factory=list[Reached[Declared]])
    kernels: list[Reached[KernelAdded]] = field(default_factory=list[Reached[KernelAdded]])
    rules: list[Reached[RuleAdded]] = field(default_factory=list[Reached[RuleAdded]])
    given_up: tuple[GivenUp, ...] = ()

    def missing(self, hole: Outcome) -> Iterator[Outcome]:
        """A part that is missing, but for the worlds in which a call that was not read to its end may register it."""
        left = hole.condition
        for call in self.given_up:
            reason = f"may be registered by `{call.text}`, which was too much to evaluate"
            if not (here := left & call.condition).fails:
                yield Outcome(here, Status.UNKNOWN, reason, span=call.span)
            left = left & ~here
        if not left.fails:
            yield replace(hole, condition=left)


@dataclass(frozen=True)
class Features:
    """The features that the project's own code enables, and when."""

    space: Conditions
    enabled: Sequence[Reached[FeaturesEnabled]]

    def open(self, feature: str | None, order: int) -> Condition:
        """The condition under which a gate is open for a declaration that runs at `order`.

        A feature is on where the target enables it, or where a statement that ran before did.
        """
        if feature is None:
            return self.space.true
        earlier = [e.condition for e in self.enabled if feature in e.record.names and e.order < order]
        return self.space.any([self.space.atom(f"feature:{feature}"), *earlier])


def gather(effects: Iterable[Reached[object]]) -> tuple[dict[str, Gathered], list[Reached[FeaturesEnabled]]]:
    """Sort what was put on record by op, and the features enabled apart."""
    ops: dict[str, Gathered] = defaultdict(Gathered)
    enabled: list[Reached[FeaturesEnabled]] = []
    for effect in effects:
        match effect.record:
            case Declared(op=op):
                ops[op].declared.append(effect.of(Declared))
            case KernelAdded(op=op):
                ops[op].kernels.append(effect.of(KernelAdded))
            case RuleAdded(op=op):
                ops[op].rules.append(effect.of(RuleAdded))
            case FeaturesEnabled():
                enabled.append(effect.of(FeaturesEnabled))
            case _:
                pass
    return dict(ops), enabled

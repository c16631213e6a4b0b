"""Native records sorted by op, and the features that the project's own code enables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from opcheck_rules.model.condition import Condition, Conditions

from ...symbolic.collect import Reached
from .records import Declared, FeaturesEnabled, KernelAdded, RuleAdded


@dataclass(eq=False)
class Gathered:
    """Every record about one op, each with the condition under which it is reached."""

    declared: list[Reached[Declared]] = field(default_factory=list[Reached[Declared]])
    kernels: list[Reached[KernelAdded]] = field(default_factory=list[Reached[KernelAdded]])
    rules: list[Reached[RuleAdded]] = field(default_factory=list[Reached[RuleAdded]])


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

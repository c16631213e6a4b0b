"""PyTorch's records sorted by op."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from opcheck_rules.model.condition import Condition, Conditions

from ...symbolic.collect import Reached
from ...symbolic.values import External
from .records import Defined, Filled, Opened


@dataclass(eq=False)
class Gathered:
    """Every record about one op."""

    name: str
    defined: list[Reached[Defined]] = field(default_factory=list[Reached[Defined]])
    filled: list[Reached[Filled]] = field(default_factory=list[Reached[Filled]])

    def kernels(self, key: str) -> list[Reached[Filled]]:
        """What was registered as a kernel for one dispatch key, fallthroughs left out."""
        return [
            f for f in self.filled if f.record.slot == "kernel" and f.record.key == key and not is_fallthrough(f.record)
        ]

    def fallthroughs(self, key: str) -> list[Reached[Filled]]:
        """The registrations that pass a key by on purpose."""
        return [
            f for f in self.filled if f.record.slot == "kernel" and f.record.key == key and is_fallthrough(f.record)
        ]

    def slots(self, slot: str) -> list[Reached[Filled]]:
        """What was registered for a slot that has no key."""
        return [f for f in self.filled if f.record.slot == slot]

    def unread(self) -> list[Reached[Filled]]:
        """The kernels whose key could not be read: they may fill any cell."""
        return [
            f for f in self.filled if f.record.slot == "kernel" and f.record.key is None and f.record.written is None
        ]


def is_fallthrough(record: Filled) -> bool:
    """Whether what is registered is PyTorch's own marker for passing a key by."""
    return isinstance(record.function, External) and record.function.path.endswith("fallthrough_kernel")


@dataclass(eq=False)
class Everything:
    """All of PyTorch's records: by op, those whose op was not read, and the compiled code that is loaded."""

    ops: dict[str, Gathered]
    unnamed: list[Reached[Defined] | Reached[Filled]]
    opened: list[Reached[Opened]]

    def taint(self, space: Conditions, namespace: str) -> Condition:
        """The condition under which a registration of some unread op may be one of this namespace."""
        return space.any(r.condition for r in self.unnamed if r.record.namespace in (None, namespace))


def gather(effects: Iterable[Reached[object]]) -> Everything:
    """Sort what was put on record by op."""
    ops: dict[str, Gathered] = {}
    unnamed: list[Reached[Defined] | Reached[Filled]] = []
    opened: list[Reached[Opened]] = []
    for effect in effects:
        match effect.record:
            case Defined(op=None):
                unnamed.append(effect.of(Defined))
            case Filled(op=None):
                unnamed.append(effect.of(Filled))
            case Defined(op=str(op)):
                ops.setdefault(op, Gathered(op)).defined.append(effect.of(Defined))
            case Filled(op=str(op)):
                ops.setdefault(op, Gathered(op)).filled.append(effect.of(Filled))
            case Opened():
                opened.append(effect.of(Opened))
            case _:
                pass
    return Everything(ops, unnamed, opened)


def by_namespace(ops: Iterable[str]) -> dict[str, list[str]]:
    """Op names by the namespace they lie in."""
    found: dict[str, list[str]] = defaultdict(list)
    for op in ops:
        found[op.partition("::")[0]].append(op)
    return found

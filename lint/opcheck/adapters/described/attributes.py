"""What a class attribute that lists backends offers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.project import Outcome, Status

from ...symbolic.collect import Reached
from ...symbolic.frame import Frame
from ...symbolic.values import ClassValue, DictValue, External, Items, Unknown, Value
from ..emitting import definition
from .description import Attribute, Description
from .names import backend_names
from .offers import Known, Offer, Said, Slot, filled, place
from .records import Derived, Name
from .serving import attribute_of, frame_of
from .watcher import Described


def attributes(described: Described, effects: Iterable[Reached[object]]) -> Said:
    """The ops that classes stand for, and the backends that each lists."""
    ops, offers = list[Known](), list[Offer]()
    for effect in effects:
        match effect.record:
            case Derived(description=Description(shape=Attribute() as shape) as description):
                for known in _ops(described, description, shape, effect.of(Derived)):
                    ops.append(known)
                    offers += _offers(described, shape, effect.of(Derived), known)
            case _:
                pass
    return Said(ops, offers)


def _ops(described: Described, description: Description, shape: Attribute, one: Reached[Derived]) -> Iterator[Known]:
    """The op that a class stands for; one whose name begins with an underscore stands for none."""
    cls = one.record.cls
    span = definition(cls) or one.span
    if shape.op == "class":
        if not cls.name.startswith("_"):
            yield Known(description, Name(cls.qualname, cls.name), one.condition, span)
        return
    for condition, value in _values(described, cls, shape.op):
        if isinstance(value, str):
            yield Known(description, Name(value, value), one.condition & condition, span)


def _values(described: Described, cls: ClassValue, name: str) -> Items:
    made = described.objects.of(cls)
    frame, nothing = frame_of(described.machine, cls), list[tuple[Condition, Value]]()
    found = described.machine.aside(lambda: attribute_of(frame, made, name), nothing)
    unread = [b for c in cls.mro() for b in c.bases if isinstance(b, (External, Unknown))]
    if found or not any(described.may_hold(base) for base in unread):
        return found
    return [(described.machine.space.true, Unknown(f"{cls.qualname}.{name}"))]


def _offers(described: Described, shape: Attribute, one: Reached[Derived], known: Known) -> Iterator[Offer]:
    cls, description = one.record.cls, known.description
    for condition, value in _values(described, cls, shape.attribute):
        for there, backend in _backends(described, description, frame_of(described.machine, cls), condition, value):
            blank = Outcome(
                there & known.condition,
                Status.COVERED,
                f"listed in `{cls.name}.{shape.attribute}`{place(known.span)}",
                "listed",
                span=known.span,
                named=True,
            )
            yield Offer(description, known.op, backend, _keyed(described, known, backend, value, blank), (0, 0))


def _backends(
    described: Described, description: Description, frame: Frame, condition: Condition, value: Value
) -> Sequence[tuple[Condition, Name]]:
    """The backends that a value names, each where it does."""
    frame.path, nothing = condition, list[tuple[Condition, Name]]()
    if value is None:
        return nothing
    return described.machine.aside(lambda: list(backend_names(frame, value, description)), nothing)


def _keyed(described: Described, known: Known, backend: Name, value: Value, blank: Outcome) -> Outcome:
    """Where backends are the keys of a dictionary, what stands there may only raise."""
    if not isinstance(value, DictValue) or backend.full not in value.items:
        return blank
    slot = Slot(known.description, known.op, backend.full)
    return filled(described.stubs, slot, value.items[backend.full], blank)

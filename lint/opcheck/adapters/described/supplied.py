"""What registrations and tables of keywords offer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opcheck_rules.model.project import Outcome, Status

from ...symbolic.collect import Reached
from ...symbolic.scope import alternatives
from ...symbolic.values import Value
from ..unresolved import is_told
from .offers import Known, Offer, Said, Slot, filled, is_read, place, where
from .records import Name, Supplied
from .stubs import Stubs
from .watcher import Described


def supplied(described: Described, effects: Iterable[Reached[object]]) -> Said:
    """The ops that something was given for, and what."""
    found = [effect.of(Supplied) for effect in effects if isinstance(effect.record, Supplied)]
    told = [one for one in found if not is_passed_on(one)]
    named = [one for one in told if one.record.op.full is not None]
    ops = [Known(one.record.description, one.record.op, one.condition, one.record.place) for one in named]
    return Said(ops, [offer for one in told for offer in _offers(described.stubs, one)])


def is_passed_on(one: Reached[Supplied]) -> bool:
    """Whether what was not read is for a caller to say, which nobody in the project does."""
    unread = [n.text for n in (one.record.op, one.record.backend) if n is not None and n.full is None]
    return any(is_told(one, text) for text in unread)


def _offers(stubs: Stubs, one: Reached[Supplied]) -> Iterator[Offer]:
    record = one.record
    for condition, value in alternatives(record.value, one.condition):
        for backend in _backends(record) if not condition.fails else ():
            outcome = _outcome(stubs, one, backend, value)
            there = replace(outcome, condition=condition)
            yield Offer(record.description, record.op, backend, there, _rank(one, outcome))


def _outcome(stubs: Stubs, one: Reached[Supplied], backend: Name, value: Value) -> Outcome:
    record, span = one.record, where(value, one.span)
    what = f"`{backend.own}` kernel" if backend.full else "kernel"
    named = record.backend is not None
    if record.alone and not is_read(value):
        reason = f"what is given for it{place(one.span)} was not read"
        return Outcome(one.condition, Status.UNKNOWN, reason, span=one.span, named=named)
    blank = Outcome(one.condition, Status.COVERED, f"{what} given{place(one.span)}", "kernel", span=span, named=named)
    return filled(stubs, Slot(record.description, record.op, backend.full), value, blank)


def _backends(record: Supplied) -> list[Name]:
    """The backends that one thing is given for: each by itself, as some refuse some."""
    if record.backend is None:
        return [Name(backend, backend) for backend in record.description.backends]
    return [record.backend]


def _rank(one: Reached[Supplied], outcome: Outcome) -> tuple[int, int]:
    """The last registration for a cell stands; of tables that stand beside each other the one that lacks it counts."""
    if one.record.alone:
        return int(outcome.status is Status.HOLE), 0
    return 0, one.order

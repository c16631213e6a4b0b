"""From what dispatchers offer to rows of the dispatch table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.project import Cause, Cell, Framework, Op, Outcome, Status

from ..cells import partition
from ..given_up import GivenUp
from ..intricate import Cells, bounded, unknown_cells
from .description import Classes, Description, Keywords, Modules
from .offers import Known, Offer, Slot
from .records import Name


class Dispatcher(Struct, frozen=True):
    """One dispatcher: its tables, and what they come to in a project.

    `ops` are by name all that is known of each, `given_up` the calls that may have registered more than was seen.
    """

    framework: Framework
    tables: Sequence[Description]
    ops: Mapping[str, Sequence[Known]]
    offers: Sequence[Offer]
    given_up: Sequence[GivenUp]

    @property
    def contexts(self) -> tuple[str, ...]:
        """The contexts that some table fills, beside the forward one."""
        return tuple(dict.fromkeys(("forward", *(table.context for table in self.tables))))


def rows(space: Conditions, dispatcher: Dispatcher) -> Iterator[Op]:
    """The rows of one dispatcher, in the order in which its ops were met."""
    by_op: dict[str, list[Offer]] = defaultdict(list)
    for offer in dispatcher.offers:
        by_op[offer.op.full or ""].append(offer)
    for op, known in dispatcher.ops.items():
        if not any(fnmatchcase(op, pattern) for table in dispatcher.tables for pattern in table.exclude):
            yield _row(space, dispatcher, known, [*by_op[op], *by_op[""]])


def _row(space: Conditions, dispatcher: Dispatcher, known: Sequence[Known], offers: Sequence[Offer]) -> Op:
    first = known[0]
    places = [(backend, context) for backend in dispatcher.framework.backends for context in dispatcher.contexts]

    def joined() -> Op:
        defined = space.any(one.condition for one in known)
        cells = {place: Cell(*place, _outcomes(space, dispatcher, first.op, *place, offers)) for place in places}
        return _op(dispatcher, first, defined, cells)

    return bounded(space, joined, lambda: _op(dispatcher, first, space.true, unknown_cells(space, places, first.span)))


def _op(dispatcher: Dispatcher, known: Known, defined: Condition, cells: Cells) -> Op:
    return Op(
        name=str(known.op.full),
        own_name=known.op.own,
        framework=dispatcher.framework.name,
        span=known.span,
        listing=known.span,
        defined=defined,
        cells=cells,
    )


def _outcomes(
    space: Conditions, dispatcher: Dispatcher, op: Name, backend: str, context: str, offers: Sequence[Offer]
) -> tuple[Outcome, ...]:
    """One cell: what fills it first, what may fill it unread, and a hole in what is left."""
    here = [offer for offer in offers if offer.description.context == context]
    named = sorted((o for o in here if o.op.full), key=lambda offer: offer.rank)
    steps = [step for offer in named[::-1] if (step := _step(space, offer, backend)) is not None]
    unread = [_unread(space, offer, backend) for offer in here]
    gaps = (_gap(call) for call in dispatcher.given_up)
    rest = _hole(space.true, dispatcher, op, backend, context)
    return partition(space, [*steps, *(one for one in unread if one is not None), *gaps], rest)


def _step(space: Conditions, offer: Offer, backend: str) -> Outcome | None:
    """What an offer makes of a backend's cell; one whose backend was not read where a target says that it is this."""
    if offer.backend is None or offer.backend.full == backend:
        return offer.outcome
    if offer.backend.full is not None:
        return None
    return replace(offer.outcome, condition=offer.outcome.condition & assumed(space, offer.backend, [backend]))


def _unread(space: Conditions, offer: Offer, backend: str) -> Outcome | None:
    """That something may fill a cell of which the op or the backend was not read."""
    known = offer.backend is None or offer.backend.full is not None
    if (known and offer.op.full is not None) or (known and offer.backend and offer.backend.full != backend):
        return None
    condition = offer.outcome.condition
    if offer.backend is not None and not known:
        condition = condition & ~assumed(space, offer.backend, offer.description.backends)
    text = offer.op.text if offer.op.full is None else offer.backend.text if offer.backend else ""
    return Outcome(condition, Status.UNKNOWN, f"may be filled by `{text}`", span=offer.outcome.span)


def assumed(space: Conditions, backend: Name, among: Iterable[str]) -> Condition:
    """Where a target says that a backend which was not read is one of these."""
    return space.atom(backend.text, "in", tuple(among), settled=False)


def _gap(call: GivenUp) -> Outcome:
    reason = f"may be registered by `{call.text}`, which was too much to evaluate"
    return Outcome(call.condition, Status.UNKNOWN, reason, span=call.span)


def _hole(condition: Condition, dispatcher: Dispatcher, op: Name, backend: str, context: str) -> Outcome:
    tables = [table for table in dispatcher.tables if table.context == context] or dispatcher.tables
    slots = [Slot(table, op, backend) for table in tables]
    error = next((slot.error for slot in slots if slot.error is not None), None)
    met = next((slot.meeting for slot in slots if slot.meeting is not None), None)
    reason = _REASONS.get(type(tables[0].shape), "no kernel")
    return Outcome(condition, Status.HOLE, reason, cause=Cause.NO_KERNEL, error=error, meeting=met)


_REASONS: Final[Mapping[type, str]] = {
    Keywords: "nothing is given for it",
    Classes: "no class has it there",
    Modules: "no module has it there",
}

"""The cells of the dispatch tables, as every table report shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePath
from typing import Final

from msgspec import Struct

from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Cell, Op, Status
from opcheck_rules.model.table import LiveCell, Table

from .places import reason

# What a target that stands for several machines shows of a cell: the least that any of them has.
_WORST_FIRST: Final = (Status.HOLE, Status.CONDITIONAL, Status.UNKNOWN, Status.EXCLUDED, Status.COVERED)


class Entry(Struct, frozen=True):
    """One cell under one target.

    `condition` is what the cell needs to be covered, None where it is, or where nothing would. `asked` says whether the
    target requires the cell, `named` whether anything is registered for this very backend, `stub` whether the kernel
    that covers it only raises, `always` whether a kernel is there in every world, whichever it is. `places` point at
    what decides it, else at the op.
    """

    target: str
    backend: str
    context: str
    status: Status
    via: str | None
    condition: str | None
    reason: str
    asked: bool
    named: bool = False
    stub: bool = False
    always: bool = False
    places: tuple[Span, ...] = ()


Row = tuple[Op, Sequence[Entry]]
"""An op with its cells under every target."""


def entries(op: Op, machines: Sequence[Table], columns: Collection[str], base: PurePath) -> Iterator[Entry]:
    """The cells of `op` under one target, given as the tables of its machines; `columns` narrows the backends.

    Paths in reasons become relative to the folder `base`.
    """
    for cell in op.cells.values():
        if not columns or cell.backend in columns:
            having = [table for table in machines if cell.backend in table.target.backends]
            found = (_entry(table, op, cell, base) for table in having or machines[:1])
            yield min(found, key=lambda entry: _WORST_FIRST.index(entry.status))


def _entry(table: Table, op: Op, cell: Cell, base: PurePath) -> Entry:
    target, live = table.target, table.live(op, cell)
    covered = next(live.of(Status.COVERED), None)
    required = cell.backend in table.backends(op) and cell.context in target.contexts
    return Entry(
        target.name,
        cell.backend,
        cell.context,
        live.status,
        via=covered.outcome.via if covered else None,
        condition=_needed(live),
        reason=_reason(live, base),
        asked=required and op.has_definition and target.wants(op.name),
        named=any(outcome.named for outcome in cell.outcomes),
        stub=any(found.outcome.stub is not None for found in live.of(Status.COVERED)),
        always=live.is_covered,
        places=tuple(dict.fromkeys(_places(live))) or (op.span,),
    )


def _places(live: LiveCell) -> Iterator[Span]:
    """What decides a cell, and where its kernels do nothing but raise."""
    for found in live.outcomes:
        stub = found.outcome.stub
        yield from (span for span in (found.outcome.span, stub and stub.span) if span)


def _needed(live: LiveCell) -> str | None:
    """What would cover a cell that is not: what is still open of its kernels' guards, else those that fail here.

    Of a cell that one kernel or another always covers, it is what the first of them needs.
    """
    if live.status not in (Status.CONDITIONAL, Status.HOLE):
        return None
    still_open = [found.condition for found in live.of(Status.COVERED)]
    if live.is_covered:
        return still_open[0].render()
    failing = [outcome.condition for outcome in live.cell.outcomes if outcome.status is Status.COVERED]
    return " or ".join(dict.fromkeys(guard.render() for guard in still_open or failing)) or None


def _reason(live: LiveCell, base: PurePath) -> str:
    if not live.defined:
        return "the op is not defined under this target"
    return "; ".join(dict.fromkeys(reason(found.outcome, base) for found in live.outcomes))

"""Which cells were gained and lost between two states of a project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, TypeAlias

from msgspec import Struct

from opcheck.report.entries import Entry, Row
from opcheck.report.tables.marks import IF, OK, UNKNOWN, mark
from opcheck.report.tables.tables import Column, column_of

Rows: TypeAlias = Iterable[Row]

# What a cell is worth to who calls it: any other mark is worth nothing.
_WORTH: Final = {OK: 2, IF: 1}


class Direction(StrEnum):
    """What became of a cell: unclear where only one of what it was and what it is could be read."""

    LOST = "lost"
    UNCLEAR = "unclear"
    GAINED = "gained"


class Change(Struct, frozen=True):
    """A cell of an op, with what it was and what it is: None where there was or is no such op."""

    framework: str
    op: str
    column: Column
    direction: Direction
    was: Entry | None
    now: Entry | None


def changes(states: Iterable[tuple[Rows, Rows]], columns: Sequence[Column]) -> list[Change]:
    """What became of the cells in `columns` of each project, given its rows before and now: what was lost first."""
    found = [change for before, now in states for change in _of_project(before, now, columns)]
    return sorted(found, key=lambda change: list(Direction).index(change.direction))


def _of_project(before: Rows, now: Rows, columns: Sequence[Column]) -> Iterator[Change]:
    were, are = _cells(before), _cells(now)
    for framework, op in sorted({(framework, op) for framework, op, _ in (*were, *are)}):
        for column in columns:
            was, is_now = were.get((framework, op, column)), are.get((framework, op, column))
            direction = _direction(was, is_now)
            if direction:
                yield Change(framework, op, column, direction, was, is_now)


def _cells(rows: Rows) -> Mapping[tuple[str, str, Column], Entry]:
    return {(op.framework, op.name, column_of(entry)): entry for op, entries in rows for entry in entries}


def _direction(was: Entry | None, now: Entry | None) -> Direction | None:
    if _is_unknown(was) is not _is_unknown(now):
        return Direction.UNCLEAR
    before, after = _worth(was), _worth(now)
    if before == after:
        return None
    return Direction.LOST if before > after else Direction.GAINED


def _is_unknown(entry: Entry | None) -> bool:
    return entry is not None and mark(entry) is UNKNOWN


def _worth(entry: Entry | None) -> int:
    return _WORTH.get(mark(entry), 0) if entry else 0

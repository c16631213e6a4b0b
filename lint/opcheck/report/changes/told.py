"""Changes as people are told them: the cells of an op that went the same way at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from opcheck.report.entries import Entry
from opcheck.report.tables.marks import mark
from opcheck.report.tables.tables import Column
from opcheck.since.changes import Change, Direction
from opcheck.since.comparison import Comparison

_SHORT: Final = 10


class Told(Struct, frozen=True):
    """What became of an op, without the columns it became so in: the marks before and now, and why."""

    direction: Direction
    op: str
    was: str
    now: str
    why: str


def told(changes: Iterable[Change]) -> dict[Told, list[Column]]:
    """The columns in which each change came about, in the order of the changes."""
    found: dict[Told, list[Column]] = {}
    for change in changes:
        found.setdefault(_told(change), []).append(change.column)
    return found


def summary(comparison: Comparison) -> str:
    """One line on what happened since the revision."""
    counts = ((comparison.count(direction), direction) for direction in Direction)
    what = ", ".join(f"{count} {direction}" for count, direction in counts if count)
    revision = comparison.revision
    return f"Cells since `{revision.called}` ({revision.commit[:_SHORT]}): {what or 'none gained or lost'}."


def _told(change: Change) -> Told:
    return Told(change.direction, change.op, _mark(change.was), _mark(change.now), _why(change.was, change.now))


def _mark(entry: Entry | None) -> str:
    return mark(entry).text if entry else "no op"


def _why(was: Entry | None, now: Entry | None) -> str:
    """The reason for what a cell is, or for what it was where its op is gone."""
    return now.reason if now else f"was {was.reason}" if was else ""

"""Changes for a review comment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from opcheck.report.markup import code, marked_up
from opcheck.report.tables.markdown import table_lines
from opcheck.report.tables.tables import Column, heading
from opcheck.since.changes import Direction
from opcheck.since.comparison import Comparison

from .told import Told, summary, told

_HEAD: Final = ("", "op", "cells", "was", "is", "why")


def changes_markdown(comparison: Comparison) -> str:
    """How many cells were gained and lost, and a row for each change."""
    head = f"### {marked_up(summary(comparison))}"
    rows = [list(_row(*item)) for item in told(comparison.changes).items()]
    return "\n".join([head, "", *table_lines(_HEAD, rows)]) if rows else head


def _row(change: Told, columns: Iterable[Column]) -> Iterator[str]:
    yield f"**{change.direction}**" if change.direction is Direction.LOST else change.direction
    cells = (code(f"{column[0]} {heading(column)}") for column in columns)
    yield from (code(change.op), ", ".join(cells), change.was, change.now, marked_up(change.why))

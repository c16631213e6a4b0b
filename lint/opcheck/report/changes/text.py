"""Changes for people, what was lost first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from opcheck.report.snippet import wrapped
from opcheck.report.source import printable
from opcheck.report.style import styled
from opcheck.report.tables.tables import Column, heading
from opcheck.since.changes import Direction
from opcheck.since.comparison import Comparison

from .told import Told, told

_STYLES: Final = {Direction.LOST: "bold red", Direction.UNCLEAR: "yellow", Direction.GAINED: "green"}
_INDENT: Final = max(map(len, Direction)) + 2
_WIDTH: Final = 100


def changes_text(comparison: Comparison) -> str:
    """Each change with the cells that it concerns, and why."""
    found = told(comparison.changes).items()
    return "\n".join(line for change, columns in found for line in _lines(change, columns))


def _lines(change: Told, columns: Iterable[Column]) -> Iterator[str]:
    direction = styled(change.direction, _STYLES[change.direction]) + " " * (_INDENT - len(change.direction))
    yield f"{direction}{printable(change.op)}  {change.was} -> {change.now}"
    cells = ", ".join(f"{column[0]} {heading(column)}" for column in columns)
    rows = wrapped(printable(f"{cells}: {change.why}"), _WIDTH - _INDENT)
    yield from (" " * _INDENT + styled(row, "dim") for row in rows)

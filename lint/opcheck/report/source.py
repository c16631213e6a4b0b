"""Lines of source as a report can show them, whatever is in them."""

from __future__ import annotations

import tokenize
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from .style import cell_len

_CUT: Final = "..."


LinesOf: TypeAlias = Callable[[str], Sequence[str]]
"""Tells the lines of a file by its path."""


class Excerpt(Struct, frozen=True):
    """One line as shown, of which the characters from `first` up to `last` of the line itself are shown."""

    line: str
    first: int
    last: int

    @property
    def text(self) -> str:
        """The line as shown, with what was cut off marked."""
        before, after = self.first > 0, self.last < len(self.line)
        return _CUT * before + printable(self.line[self.first : self.last]) + _CUT * after

    def cells(self, column: int) -> int:
        """How many terminal cells stand before a 1-based column: those of the near end, where it was cut off."""
        at = min(max(column - 1, self.first), self.last)
        return len(_CUT) * (self.first > 0) + cell_len(printable(self.line[self.first : at]))


def excerpt(line: str, column: int, limit: int) -> Excerpt:
    """At most `limit` characters of `line`, with `column` and what leads up to it among them."""
    if len(line) <= limit:
        return Excerpt(line, 0, len(line))
    first = min(max(0, column - 1 - limit // 3), len(line) - limit)
    return Excerpt(line, first, first + limit)


def printable(text: str) -> str:
    """`text` with tabs as spaces, and what a terminal would obey or could not print replaced."""
    if text.isprintable():
        return text
    return "".join("    " if c == "\t" else c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def source_lines(path: str) -> list[str]:
    """The lines of a file the way Python counts them; none where there is no such file to read."""
    if not Path(path).is_file():
        return []
    try:
        with tokenize.open(path) as file:
            return file.read().split("\n")
    except (OSError, SyntaxError, UnicodeDecodeError):
        return _damaged_lines(path)


def _damaged_lines(path: str) -> list[str]:
    try:
        return Path(path).read_text("utf-8", errors="replace").split("\n")
    except OSError:
        return []

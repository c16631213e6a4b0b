"""Which lines of a file lie in a string that began on an earlier one."""

from __future__ import annotations

import re
from typing import Final

from .lexing import UnclearError

_QUOTES: Final = (b'"""', b"'''")
_TOKEN: Final = re.compile(rb'#[^\n]*|"""|\'\'\'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'')


class Strings:
    """The triple-quoted strings of a file, asked for from its beginning to its end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._next = {quote: data.find(quote) for quote in _QUOTES}

    def holds(self, position: int) -> bool:
        """Whether a line that begins at `position` begins inside a string. Positions may only grow.

        Raises `UnclearError` where a string never ends.
        """
        while self._at <= position:
            start = self._opening()
            if start is None or start >= position:
                return False
            self._at = self._after(start)
        return True

    def covers(self, line: int, position: int) -> bool:
        """Whether a position lies in a string or a comment of its line, which begins outside of one."""
        end = max(line, self._at)
        while end <= position:
            token = _TOKEN.search(self._data, end)
            if token is None or token.start() >= position:
                return False
            end = self._closing(token.end(), token[0]) if token[0] in _QUOTES else token.end()
        return True

    def _opening(self) -> int | None:
        """Where the next three quotes stand."""
        for quote, found in self._next.items():
            if 0 <= found < self._at:
                self._next[quote] = self._data.find(quote, self._at)
        return min((found for found in self._next.values() if found >= 0), default=None)

    def _after(self, start: int) -> int:
        """The end of what three quotes begin, or of the comment or the short string that they stand in."""
        line = max(self._data.rfind(b"\n", 0, start) + 1, self._at)
        token = next(m for m in _TOKEN.finditer(self._data, line) if m.end() > start)
        return token.end() if token.start() < start else self._closing(token.end(), token[0])

    def _closing(self, start: int, quote: bytes) -> int:
        end = self._data.find(quote, start)
        while end >= 0 and self._is_escaped(start, end):
            end = self._data.find(quote, end + 1)
        if end < 0:
            raise UnclearError
        return end + len(quote)

    def _is_escaped(self, start: int, end: int) -> bool:
        before = self._data[start:end]
        return (len(before) - len(before.rstrip(b"\\"))) % 2 == 1

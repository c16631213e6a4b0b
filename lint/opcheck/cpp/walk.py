"""The statements of a source, each with the braces it stands in.

No grammar is followed: brackets are matched in the text, so that code that is broken, made by macros or from a template
still falls into statements. Every branch of the preprocessor is walked; each begins where the first one did.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from .branches import CLOSING, OPENING, TURNING
from .controls import Controls, strip_controls
from .records import Guards
from .scopes import Library, Scope
from .text import MARK, Text

_STOPS: Final = re.compile(rf"[(){{}};{MARK}]|^[ \t]*+(?:STABLE_)?TORCH_LIBRARY\w*(?=\s*\()", re.MULTILINE)
_RETURN: Final = re.compile(r"\s*return\b")

Opens = Callable[[int, int], Library | None]
"""The library that a brace after the text between two offsets opens a block for."""


class Statement(Struct, frozen=True):
    """A statement between two offsets, without the `if` or loop it is the body of: `controls` says those.

    `is_cut` marks the place where a block breaks off that was never closed.
    """

    start: int
    end: int
    scope: Scope
    controls: Guards = ()
    is_cut: bool = False


class _Open(Struct, frozen=True):
    """An open bracket: a parenthesis, a brace inside one, or a brace around statements."""

    kind: str
    scope: Scope
    parent: _Open | None


class Walk:
    """One pass over a source."""

    def __init__(self, text: Text, root: Scope, opens: Opens, interesting: Sequence[int]) -> None:
        """`interesting` are the places, in order, at which something may be registered outside of any block."""
        self._text, self._root, self._opens, self._interesting = text, root, opens, interesting
        self._words = {directive.offset: directive.word for directive in text.directives}
        self._top: _Open | None = None
        self._start = 0
        self._saved: list[_Open | None] = []
        self._last: Guards = ()

    def statements(self) -> Iterator[Statement]:
        """The statements, in order: outside of any block, those that hold something of interest."""
        position = self._skip()
        while stop := _STOPS.search(self._text.shape, position):
            position = stop.end()
            match stop[0]:
                case "(":
                    self._push("(")
                case ")":
                    self._close_parenthesis()
                case "{":
                    self._open_brace(stop.start())
                case "}":
                    yield from self._close_brace(stop.start())
                case ";":
                    yield from self._end(stop.start(), stop.end())
                case mark if mark == MARK:
                    yield from self._turn(self._words.get(stop.start(), ""))
                case _:
                    yield from self._restart(stop.start())
            if self._top is None and self._start >= position:
                position = self._skip()
        yield from self._finish(len(self._text.shape))

    def _skip(self) -> int:
        """Where to go on from where a statement begins: at the next that is of interest, if this is in no block."""
        if self._root.library is None:
            shape = self._text.shape
            index = bisect_left(self._interesting, self._start)
            following = self._interesting[index] if index < len(self._interesting) else len(shape)
            self._start = max(self._start, *(shape.rfind(stop, self._start, following) + 1 for stop in ";{}"))
            self._saved.clear()
        return self._start

    @property
    def _scope(self) -> Scope:
        return self._top.scope if self._top else self._root

    @property
    def _is_inside(self) -> bool:
        """Whether the place is inside parentheses, in the middle of a statement."""
        return self._top is not None and self._top.kind != "{"

    def _push(self, kind: str, scope: Scope | None = None) -> None:
        self._top = _Open(kind, scope or self._scope, self._top)

    def _close_parenthesis(self) -> None:
        if self._top and self._top.kind == "(":
            self._top = self._top.parent

    def _open_brace(self, offset: int) -> None:
        if self._is_inside:
            self._push("inner")
            return
        controls = self._controls(offset)
        library = None if controls.guards else self._opens(self._start, offset)
        self._push("{", self._scope.nested(library, controls.guards))
        self._start, self._last = offset + 1, ()

    def _close_brace(self, offset: int) -> Iterator[Statement]:
        """Close the innermost brace. A parenthesis still open inside it never was closed, and is given up."""
        while self._top and self._top.kind == "(":
            self._top = self._top.parent
        if self._is_inside:
            self._top = self._top.parent if self._top else None
            return
        yield from self._end(offset, offset + 1)
        if self._top:
            self._last = self._top.scope.own
            self._top = self._top.parent

    def _end(self, offset: int, after: int) -> Iterator[Statement]:
        if self._is_inside:
            return
        controls = self._controls(offset)
        start, self._start, self._last = controls.end, after, controls.guards
        if _RETURN.match(self._text.shape, start, offset):
            self._scope.leave(controls.guards)
        yield Statement(start, offset, self._scope, controls.guards)

    def _controls(self, end: int) -> Controls:
        return strip_controls(self._text, self._start, end, self._last)

    def _turn(self, word: str) -> Iterator[Statement]:
        """Follow a preprocessor branch: each begins in the brackets that the first began in."""
        if word in OPENING:
            self._saved.append(self._top)
        elif word in TURNING and self._saved:
            left, self._top = self._scope, self._saved[-1]
            if left.library and self._scope.library is not left.library:
                yield Statement(self._start, self._start, left, is_cut=True)
        elif word in CLOSING and self._saved:
            self._saved.pop()

    def _restart(self, offset: int) -> Iterator[Statement]:
        """Begin anew at a block, which stands inside nothing: what is open around it was misread."""
        yield from self._finish(offset)
        self._start, self._last = offset, ()

    def _finish(self, offset: int) -> Iterator[Statement]:
        if self._scope.library and self._top:
            yield Statement(self._start, offset, self._scope, is_cut=True)
        self._top = None
        yield from self._end(offset, offset)

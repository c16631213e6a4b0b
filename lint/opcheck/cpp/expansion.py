"""Uses of a project's macros, written out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from .controls import closing
from .limits import EXPANSION_COST, MOST_ALTERNATIVES, MOST_EXPANDED, MOST_EXPANSION_DEPTH, MOST_HEADER
from .macros import Macro, Macros, only, registering
from .text import read_text, split_at_commas

_USE: Final = re.compile(r"\s*(?:\w+\s*::\s*)*(\w+)\s*\(")
_WORD: Final = re.compile(r"\b[A-Za-z_]\w*")
_OPENING: Final = re.compile(r"\b(?:_?(?:STABLE_|MAKE_)?TORCH_LIBRARY\w*|RegisterOperators\b|(?:Stable)?Library\b)")
_GOES_ON: Final = re.compile(r"\s*[.,\-+*/=<>?:&|^%\[({]")
_HEADER: Final = re.compile(r"\b(\w+)\s*(\([^()]*\))\s*$")
_HARMLESS: Final = re.compile(r"(?:TORCH|AT|C10|STD_TORCH)_(?!\w*(?:LIBRARY|REGISTER))\w+|[A-Z]*LOG\w*|D?CHECK\w*")
_LOUD: Final = re.compile(r"_*[A-Z][A-Z0-9_]*")


class Use(Struct, frozen=True):
    """A use of a macro at the front of a statement, which ends at `end`. `macro` is None for one that is not known,
    or has several definitions."""

    name: str
    macro: Macro | None
    arguments: tuple[str, ...]
    end: int


class Expander:
    """The macros of one source, and how much they may still write."""

    def __init__(self, macros: Macros) -> None:
        self._macros = macros
        self._registering = registering(macros)
        self._left = MOST_EXPANDED

    def interesting(self, shape: str) -> list[int]:
        """The places of a source at which a block may open, or a macro that opens one is used."""
        words = _WORD.finditer(shape) if self._registering else _OPENING.finditer(shape)
        return [word.start() for word in words if _OPENING.match(word[0]) or word[0] in self._registering]

    def headers(self, code: str) -> list[str]:
        """What may stand before a brace once macros that open a block are written out; nothing for what opens none."""
        if not self._registering and not _OPENING.search(code):
            return []
        written = [code]
        for _ in range(MOST_EXPANSION_DEPTH):
            written = [text for one in written for text in self._rewritten(one)][:MOST_ALTERNATIVES]
        return written

    def _rewritten(self, header: str) -> Iterator[str]:
        match = _HEADER.search(header, max(0, len(header) - MOST_HEADER))
        if match is None or match[1] not in self._registering:
            yield header
            return
        arguments = split_arguments(match[2][1:-1])
        expanded = (self.expand(macro, arguments) for macro in self._macros[match[1]])
        yield from (text for text in expanded if text is not None)

    def use(self, code: str, shape: str, start: int, end: int, *, inside: bool) -> Use | None:
        """The macro that a statement begins with: inside a block any, elsewhere one that opens a block."""
        match = _USE.match(shape, start, end)
        if match is None or not (match[1] in self._registering or (inside and self._may_register(match[1]))):
            return None
        close = closing(shape, match.end(), end)
        if close is None or _GOES_ON.match(shape, close + 1, end):
            return None
        return Use(match[1], only(self._macros, match[1]), split_arguments(code[match.end() : close]), close + 1)

    def expand(self, macro: Macro, arguments: tuple[str, ...]) -> str | None:
        """What a macro writes; None once macros have written too much."""
        written = macro.expand(arguments, self._left)
        self._left -= EXPANSION_COST if written is None else len(written) + EXPANSION_COST
        return written

    def _may_register(self, name: str) -> bool:
        if name in self._macros:
            return any(macro.parameters is not None for macro in self._macros[name])
        return bool(_LOUD.fullmatch(name)) and not _HARMLESS.fullmatch(name)


def split_arguments(code: str) -> tuple[str, ...]:
    """The arguments between a macro's parentheses."""
    shape = read_text("", code).shape
    return tuple(code[start:end].strip() for start, end in split_at_commas(shape, 0, len(shape)))

"""Uses of a project's macros, written out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from .controls import closing
from .limits import MOST_EXPANDED
from .macros import Macro, Macros, registering
from .text import read_text

_USE: Final = re.compile(r"\s*(?:\w+\s*::\s*)*(\w+)\s*\(")
_WORD: Final = re.compile(r"\b[A-Za-z_]\w*")
_OPENING: Final = re.compile(r"\b(?:_?(?:STABLE_|MAKE_)?TORCH_LIBRARY\w*|RegisterOperators\b|(?:Stable)?Library\b)")
_GOES_ON: Final = re.compile(r"\s*[.,\-+*/=<>?:&|^%\[({]")
_HEADER: Final = re.compile(r"\b(\w+)\s*(\([^()]*\))\s*$")
_BRACKET: Final = re.compile(r"[()\[\]{},]")
_HARMLESS: Final = re.compile(r"(?:TORCH|AT|C10|STD_TORCH)_(?!\w*(?:LIBRARY|REGISTER))\w+|[A-Z]*LOG\w*|D?CHECK\w*")
_LOUD: Final = re.compile(r"_*[A-Z][A-Z0-9_]*")


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a macro at the front of a statement, which ends at `end`. `macro` is None for one that is not known."""

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

    def header(self, code: str) -> str:
        """What stands before a brace, with a macro that opens a block written out; empty for what opens none."""
        if not self._registering and not _OPENING.search(code):
            return ""
        match = _HEADER.search(code, max(0, len(code) - 4_000))
        if match is None or match[1] not in self._registering:
            return code
        macro = self._macros[match[1]]
        written = self.expand(macro, split_arguments(match[2][1:-1])) if macro else None
        return code if written is None else self.header(written) if written != match[0].strip() else written

    def use(self, code: str, shape: str, start: int, end: int, *, inside: bool) -> Use | None:
        """The macro that a statement begins with: inside a block any, elsewhere one that opens a block."""
        match = _USE.match(shape, start, end)
        if match is None or not (match[1] in self._registering or (inside and self._may_register(match[1]))):
            return None
        close = closing(shape, match.end(), end)
        if close is None or _GOES_ON.match(shape, close + 1, end):
            return None
        return Use(match[1], self._macros.get(match[1]), split_arguments(code[match.end() : close]), close + 1)

    def expand(self, macro: Macro, arguments: tuple[str, ...]) -> str | None:
        """What a macro writes; None once macros have written too much."""
        longest = max(map(len, arguments), default=0)
        if len(macro.body) * (longest + 1) > self._left and len(macro.body) > self._left // 8:
            return None
        written = macro.expand(arguments)
        self._left -= len(written) + 1
        return written if self._left >= 0 else None

    def _may_register(self, name: str) -> bool:
        if name in self._macros:
            macro = self._macros[name]
            return macro is None or macro.parameters is not None
        return bool(_LOUD.fullmatch(name)) and not _HARMLESS.fullmatch(name)


def split_arguments(code: str) -> tuple[str, ...]:
    """The arguments between a macro's parentheses."""
    shape, parts, depth, start = read_text("", code).shape, list[str](), 0, 0
    for match in _BRACKET.finditer(shape):
        depth += (match[0] in "([{") - (match[0] in ")]}")
        if match[0] == "," and depth == 0:
            parts.append(code[start : match.start()].strip())
            start = match.end()
    return (*parts, code[start:].strip())

"""What a project's own macros write: registrations are often wrapped in one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .limits import MOST_EXPANSION_DEPTH
from .text import Directive, Text

_DEFINITION: Final = re.compile(r"(\w+)(?:\(([^()]*)\))?(.*)", re.DOTALL)
_CONSTANT: Final = re.compile(
    r"\b(?:constexpr|static\s+const)\s+(?:const\s+)?(?:char|(?:std::)?string|(?:std::)?string_view|auto)\b"
    r"[\s*]*+(?:const\b\s*)?(\w+)\s*(?:\[\s*\])?\s*=\s*(?=(?:u8|[uUL])?R?\")"
)
_WORD: Final = re.compile(r"\w+")
_OPENING: Final = re.compile(r"_?(?:STABLE_)?TORCH_LIBRARY")
_PIECES: Final = re.compile(
    r'(?P<string>"(?:[^"\\\n]|\\.)*+")|(?P<paste>\s*##\s*)|\#\s*(?P<quoted>\w+)|(?P<word>\w+)', re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro: its parameters (None for one that takes none) and its text."""

    parameters: tuple[str, ...] | None
    body: str

    def expand(self, arguments: Sequence[str]) -> str:
        """What it writes for these arguments."""
        names = self.parameters or ()
        given = dict(zip(names, arguments, strict=False))
        if names[-1:] == ("...",):
            given["__VA_ARGS__"] = ", ".join(arguments[len(names) - 1 :])
        return _PIECES.sub(lambda piece: _written(piece, given), self.body)


Macros = Mapping[str, Macro | None]
"""Macros by name; None where a name has several definitions."""


def own_macros(text: Text) -> dict[str, Macro | None]:
    """The macros that a source defines."""
    return _table(_defined(text.directives))


def own_constants(text: Text) -> dict[str, Macro | None]:
    """The string constants that a source declares, as macros without parameters. No other source sees them."""
    return _table(_constants(text))


def joined_macros(tables: Iterable[Macros]) -> dict[str, Macro | None]:
    """The macros of several sources, for use in each other."""
    return _table(item for table in tables for item in table.items())


def _table(items: Iterable[tuple[str, Macro | None]]) -> dict[str, Macro | None]:
    found: dict[str, Macro | None] = {}
    for name, macro in items:
        found[name] = macro if found.get(name, macro) == macro else None
    return found


def registering(macros: Macros) -> frozenset[str]:
    """The macros that open a block of registrations, by themselves or by a macro in turn."""
    words = {name: frozenset(_WORD.findall(macro.body)) for name, macro in macros.items() if macro and macro.parameters}
    found = {name for name, used in words.items() if any(map(opens_block, used))}
    for _ in range(MOST_EXPANSION_DEPTH):
        found |= {name for name, used in words.items() if not found.isdisjoint(used)}
    return frozenset(found)


def opens_block(word: str) -> bool:
    """Whether a name is one of PyTorch's own openings, or made after them."""
    return word == "RegisterOperators" or bool(_OPENING.match(word))


def _defined(directives: Iterable[Directive]) -> Iterable[tuple[str, Macro]]:
    for directive in directives:
        match = _DEFINITION.match(directive.rest) if directive.word == "define" else None
        if match:
            listed = None if match[2] is None else tuple(p.strip() for p in match[2].split(","))
            yield match[1], Macro(listed, match[3].strip())


def _constants(text: Text) -> Iterable[tuple[str, Macro]]:
    for match in _CONSTANT.finditer(text.shape):
        end = text.shape.find(";", match.end())
        yield match[1], Macro(None, text.code[match.end() : end].strip())


def _written(piece: re.Match[str], given: Mapping[str, str]) -> str:
    if piece["paste"]:
        return ""
    if piece["quoted"] in given:
        quoted = given[piece["quoted"]].replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}"'
    return given.get(piece["word"], piece[0])

"""What a project's own macros write: registrations are often wrapped in one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from .limits import MOST_ALTERNATIVES, MOST_EXPANSION_DEPTH
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


class Macro(Struct, frozen=True):
    """A macro: its parameters (None for one that takes none) and its text."""

    parameters: tuple[str, ...] | None
    body: str

    def expand(self, arguments: Sequence[str], most: int) -> str | None:
        """What it writes for these arguments; None where that is more than `most` characters."""
        names = self.parameters or ()
        given = dict(zip(names, arguments, strict=False))
        if names[-1:] == ("...",):
            given["__VA_ARGS__"] = ", ".join(arguments[len(names) - 1 :])
        parts, end, size = list[str](), 0, len(self.body)
        for piece in _PIECES.finditer(self.body):
            parts += (self.body[end : piece.start()], _written(piece, given))
            end, size = piece.end(), size + len(parts[-1])
            if size > most:
                return None
        return "".join((*parts, self.body[end:]))


Macros = Mapping[str, tuple[Macro, ...]]
"""Macros by name: several where the name is defined differently in different places."""


def own_macros(text: Text) -> Macros:
    """The macros that a source defines."""
    return _table(_defined(text.directives))


def own_constants(text: Text) -> Macros:
    """The string constants that a source declares, as macros without parameters. No other source sees them."""
    return _table(_constants(text))


def joined_macros(tables: Iterable[Macros]) -> Macros:
    """The macros of several sources, for use in each other."""
    return _table((name, macro) for table in tables for name, macros in table.items() for macro in macros)


def only(macros: Macros, name: str) -> Macro | None:
    """The macro of this name, where there is one and it is the only one."""
    found = macros.get(name, ())
    return found[0] if len(found) == 1 else None


def _table(items: Iterable[tuple[str, Macro]]) -> Macros:
    found: dict[str, tuple[Macro, ...]] = {}
    for name, macro in items:
        known = found.setdefault(name, ())
        if macro not in known and len(known) < MOST_ALTERNATIVES:
            found[name] = (*known, macro)
    return found


def registering(macros: Macros) -> frozenset[str]:
    """The macros that open a block of registrations, by themselves or by a macro in turn."""
    words = {name: frozenset(w for m in found for w in _WORD.findall(m.body)) for name, found in macros.items()}
    opening = {name for name, used in words.items() if any(map(opens_block, used))}
    for _ in range(MOST_EXPANSION_DEPTH):
        opening |= {name for name, used in words.items() if not opening.isdisjoint(used)}
    return frozenset(name for name in opening if any(macro.parameters for macro in macros[name]))


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

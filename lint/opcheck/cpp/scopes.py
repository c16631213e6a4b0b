"""What a brace opens: a block of registrations, a function that takes a library, an `if`, or nothing of interest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from opcheck_rules.model.finding import Span

from .keys import IMPLICIT, key_named
from .limits import MOST_GUARDS, MOST_HEADER
from .macros import Macros, only
from .records import Guard, Guards, merged
from .text import HOLE


class Library(Struct, frozen=True):
    """What a variable of a block registers into.

    `key` is the dispatch key of what names none itself. `function` is set for the parameter of a function (empty for
    one without a name): which library comes in is then up to its callers.
    """

    variable: str
    namespace: str | None
    namespace_text: str
    key: str | None
    key_span: Span
    guards: Guards = ()
    function: str | None = None
    key_text: str = ""


@dataclass(eq=False)
class Scope:
    """A pair of braces, inside those of `home`, which the library belongs to.

    `own` are the `if` or loop that it is the body of, and `controls` all of them from its home on; `is_straight` says
    that nothing else lies between. `exits` are conditions under which what follows in a home is still reached, as an
    earlier statement returns.
    """

    home: Scope | None = None
    library: Library | None = None
    own: Guards = ()
    controls: Guards = ()
    is_straight: bool = True
    exits: list[Guard] = field(default_factory=list[Guard])

    def nested(self, library: Library | None, own: Guards) -> Scope:
        """Braces directly inside these."""
        if library:
            scope = Scope(library=library)
            scope.home = scope
            return scope
        return Scope(self.home, self.library, own, (*self.controls, *own)[:MOST_GUARDS], self.is_straight and bool(own))

    def guards(self) -> Guards:
        """The conditions of the running program that a statement here stands under."""
        return merged(self.controls, tuple(self.home.exits) if self.home else ())

    def leave(self, own: Guards) -> None:
        """Take in that a statement here returns where `own` hold."""
        if self.home and self.is_straight and len(self.home.exits) < MOST_GUARDS:
            self.home.exits += _inverse((*self.controls, *own))


def _inverse(guards: Guards) -> list[Guard]:
    if len(guards) == 1:
        return [guards[0].negated()]
    text = " && ".join(guard.text if guard.positive else f"!({guard.text})" for guard in guards)
    return [Guard(text, positive=False, kind="statement")] if guards else []


_BLOCK: Final = re.compile(r"\b_?(?:STABLE_)?TORCH_LIBRARY(?P<form>\w*)\s*\((?P<listed>[^()]*)\)\s*$")
_PARAMETER: Final = re.compile(r"\b(?:Stable)?Library\s*&\s*(?P<variable>\w+)")
_MADE: Final = re.compile(
    r"\b(?P<variable>\w+)\s*=\s*MAKE_TORCH_LIBRARY(?P<form>\w*)\s*\((?P<listed>[^()]*)\)|"
    r"\bLibrary\s+(?P<declared>\w+)\s*[({]"
)
_NAME: Final = re.compile(r"(\w+)\s*\($")
_MACRO_LIKE: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]*)+|[A-Z]{3,}")


def library_of(header: str, macros: Macros, place: Span, guards: Guards) -> Library | None:
    """The library that a brace after this text opens a block for: PyTorch's macros, or a function's parameter."""
    header = header[-MOST_HEADER:]
    match = _BLOCK.search(header)
    if match:
        return _library(match["form"], _listed(match["listed"]), macros, place, guards)
    for parameter in _PARAMETER.finditer(header):
        function = _function(header[: parameter.start()])
        if function is not None:
            return Library(parameter["variable"], None, "", None, place, guards, function)
    return None


def one_library(found: Iterable[Library | None]) -> Library | None:
    """The library that a block is for whose macro has several definitions: what they do not agree on is not known."""
    libraries = [library for library in dict.fromkeys(found) if library]
    if len(libraries) < 2:
        return next(iter(libraries), None)
    first = libraries[0]
    namespaces, keys = {library.namespace for library in libraries}, {library.key for library in libraries}
    return replace(
        first,
        namespace=first.namespace if len(namespaces) == 1 else None,
        key=first.key if len(keys) == 1 else None,
    )


def library_made(statement: str, macros: Macros, place: Span, guards: Guards) -> Library | None:
    """The library that a statement declares a variable for."""
    match = _MADE.search(statement)
    if match is None:
        return None
    if match["declared"]:
        return Library(match["declared"], None, "", None, place, guards)
    return _library(match["form"], [*_listed(match["listed"]), match["variable"]], macros, place, guards)


def _library(form: str, listed: list[str], macros: Macros, place: Span, guards: Guards) -> Library | None:
    if len(listed) not in (2, 3):
        return None
    named, variable = listed[0], listed[-1]
    written = key_named(resolved(listed[1], macros)) if len(listed) == 3 else IMPLICIT
    key = None if "IMPL" in form and len(listed) == 2 else written
    key_text = listed[1] if len(listed) == 3 else ""
    return Library(variable, _namespace(named, macros), named, key, place, guards, key_text=key_text)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _namespace(written: str, macros: Macros) -> str | None:
    """The namespace that a block's macro is given: one that looks like a macro itself, and is none, is not known."""
    name = resolved(written, macros)
    is_name = re.fullmatch(r"\w+", name) and HOLE not in name and not _MACRO_LIKE.fullmatch(name)
    return name if is_name else None


def resolved(name: str, macros: Macros) -> str:
    """What a name stands for where it is a macro without parameters."""
    for _ in range(8):
        if name not in macros:
            return name
        macro = only(macros, name)
        if macro is None or macro.parameters is not None:
            return ""
        name = macro.body
    return ""


def _function(before: str) -> str | None:
    """The function whose parameters a text breaks off in; empty for one without a name, None where it is in none's."""
    depth = 0
    for offset in range(len(before) - 1, -1, -1):
        depth += (before[offset] == ")") - (before[offset] == "(")
        if depth < 0:
            match = _NAME.search(before[: offset + 1])
            return match[1] if match else ""
    return None

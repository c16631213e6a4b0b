"""Which preprocessor conditions each place of a source stands under."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from .limits import MOST_GUARDS
from .records import Guard, Guards
from .text import Directive

OPENING: Final = frozenset({"if", "ifdef", "ifndef", "for"})
TURNING: Final = frozenset({"else", "elif", "elifdef", "elifndef"})
CLOSING: Final = frozenset({"endif", "endfor"})
_CONDITIONAL: Final = OPENING | TURNING | CLOSING
_GUARD_OF_HEADER: Final = re.compile(r"!\s*defined\s*\(?\s*(\w+)\s*\)?")


@dataclass
class _Chain:
    """An `#if` with what follows it: what it stands in, the branches before, and the condition of the present one."""

    around: Guards
    earlier: Guards = ()
    current: Guard | None = None

    def turn(self, guard: Guard | None) -> None:
        if self.current:
            self.earlier = (*self.earlier, self.current.negated())[:MOST_GUARDS]
        self.current = guard

    def guards(self) -> Guards:
        own = (self.current,) if self.current else ()
        return (*self.around, *self.earlier, *own)[:MOST_GUARDS]


class Branches:
    """The conditions around each place, preprocessor and template kept apart: either may cut across the other."""

    def __init__(self, directives: Iterable[Directive]) -> None:
        self._chains: dict[bool, list[_Chain]] = {False: [], True: []}
        self._offsets: list[int] = [-1]
        self._guards: list[Guards] = [()]
        header = ""
        for directive in directives:
            if directive.word == "define" and header and directive.rest.split("(")[0].split()[:1] == [header]:
                self._chains[False][-1].current = None
            header = self._step(directive)
            if directive.word in _CONDITIONAL or directive.word == "define":
                self._offsets.append(directive.offset)
                self._guards.append(self._now())

    def at(self, offset: int) -> Guards:
        """The conditions around one place, outermost first."""
        return self._guards[bisect_right(self._offsets, offset) - 1]

    def turns_between(self, start: int, end: int) -> bool:
        """Whether some condition begins or ends between two places."""
        inside = self._guards[bisect_right(self._offsets, start) - 1 : bisect_right(self._offsets, end)]
        return any(guards != inside[0] for guards in inside)

    def _step(self, directive: Directive) -> str:
        """Follow one directive; the macro whose definition next would make it a header's guard is returned."""
        chains = self._chains[directive.is_template]
        if directive.word in OPENING:
            chains.append(_Chain(chains[-1].guards() if chains else (), current=_condition(directive)))
            return _header_guard(directive)
        if directive.word in TURNING and chains:
            chains[-1].turn(None if directive.word == "else" else _condition(directive))
        elif directive.word in CLOSING and chains:
            chains.pop()
        return ""

    def _now(self) -> Guards:
        return tuple(guard for chains in self._chains.values() if chains for guard in chains[-1].guards())


def _condition(directive: Directive) -> Guard:
    text = " ".join(directive.rest.split())
    if directive.is_template:
        return Guard(f"for {text}" if directive.word == "for" else text, kind="template")
    if directive.word.endswith("def"):
        return Guard(f"defined({text})", positive=not directive.word.endswith("ndef"))
    return Guard(text)


def _header_guard(directive: Directive) -> str:
    if directive.word == "ifndef":
        return directive.rest
    match = _GUARD_OF_HEADER.fullmatch(directive.rest)
    return match[1] if match else ""

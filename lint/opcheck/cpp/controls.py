"""The `if`s and loops that stand before a statement."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from .records import Guard, Guards
from .text import Text

_ELSE: Final = re.compile(r"\s*else\b")
_CONTROL: Final = re.compile(r"\s*(if|for|while|switch)\b\s*(?:constexpr\b\s*)?\(")
_PARENTHESIS: Final = re.compile(r"[()]")
MOST_CONTROLS: Final = 16
MOST_TEXT: Final = 200


class Controls(Struct, frozen=True):
    """The conditions before a statement, and where it begins itself."""

    guards: Guards
    end: int


def strip_controls(text: Text, start: int, end: int, last: Guards) -> Controls:
    """Read `if (...)`, `else` and loops off the front of a statement; `last` are those of the one before it."""
    guards: Guards = ()
    otherwise = _ELSE.match(text.shape, start, end)
    if otherwise:
        guards, start = (*last[:-1], *(guard.negated() for guard in last[-1:])), otherwise.end()
    for _ in range(MOST_CONTROLS):
        control = _CONTROL.match(text.shape, start, end)
        close = closing(text.shape, control.end(), end) if control else None
        if control is None or close is None:
            break
        condition = " ".join(text.code[control.end() : close].split())[:MOST_TEXT]
        written = condition if control[1] == "if" else f"{control[1]} ({condition})"
        guards, start = (*guards, Guard(written, kind="statement")), close + 1
    return Controls(guards, start)


def closing(shape: str, start: int, end: int) -> int | None:
    """Where the parenthesis closes that was opened before `start`."""
    depth = 1
    for match in _PARENTHESIS.finditer(shape, start, end):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return match.start()
    return None

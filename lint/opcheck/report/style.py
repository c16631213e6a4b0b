"""Text as terminals show it: its colours, and the room it takes."""

from __future__ import annotations

from functools import cache
from typing import Final
from unicodedata import category, east_asian_width

from opcheck_rules.model.finding import Severity

COLOURS: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow"}
"""The colour of each severity."""

_CODES: Final = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34"}
_TAKES_NO_ROOM: Final = frozenset({"Mn", "Me", "Cf"})


def styled(text: str, style: str) -> str:
    """`text` between the escape codes of a style such as `bold red`. Whoever prints it drops those nobody wants."""
    start = _start(style)
    return f"{start}{text}\x1b[0m" if start and text else text


@cache
def _start(style: str) -> str:
    codes = ";".join(_CODES[word] for word in style.split())
    return f"\x1b[{codes}m" if codes else ""


def cell_len(text: str) -> int:
    """How many terminal cells unstyled `text` takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(character: str) -> int:
    if category(character) in _TAKES_NO_ROOM:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1

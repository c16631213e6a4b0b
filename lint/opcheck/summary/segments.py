"""The statements at the margin of a text, told without parsing it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .lexing import UnclearError, masked, outside_brackets

_MARGIN: Final = re.compile(rb"\n(?=[^ \t\n)\]}])")
_GOES_ON: Final = re.compile(rb"(?:else|elif|except|finally)\b")
_DECORATED: Final = re.compile(rb"@|(?:async[ \t]+)?def\b|class\b")


class Segment(NamedTuple):
    """One statement at the margin, or several on a line: the offsets it lies between, and its line, counted from 1.

    What stands between two statements belongs to the first.
    """

    start: int
    end: int
    line: int


def segments(text: str) -> list[Segment] | None:
    """The statements at the margin of a text, in order; None where only parsing can tell."""
    try:
        starts = _starts(masked(text))
    except UnclearError:
        return None
    found, line = list[Segment](), 1
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        found.append(Segment(start, end, line))
        line += text.count("\n", start, end)
    return found


def _starts(mask: bytes) -> list[int]:
    """Where statements begin, the first with what is before it."""
    starts, head = [0], 0
    for found in outside_brackets(_MARGIN, mask):
        before, head = head, found.end()
        if not _goes_on(mask, before, head):
            starts.append(head)
    return starts


def _goes_on(mask: bytes, before: int, line: int) -> bool:
    """Whether a line at the margin is a part of the statement that the last such line before it is one of."""
    is_decorated = mask.startswith(b"@", before) and _DECORATED.match(mask, line) is not None
    return is_decorated or _GOES_ON.match(mask, line) is not None

"""The statements at the margin of a text, told without parsing it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .lexing import UnclearError, line_end, next_line

_MARGIN: Final = line_end(r"[ \t\n\#)\]}] | \Z")
_GOES_ON: Final = re.compile(r"(?:else|elif|except|finally)\b")
_DECORATED: Final = re.compile(r"@|(?:async[ \t]+)?def\b|class\b")


class Segment(NamedTuple):
    """One statement at the margin, or several on a line: the offsets it lies between, and its line, counted from 1.

    Its last line at the margin begins at `head`: where decorators end. What stands between two statements belongs to
    the first.
    """

    start: int
    head: int
    end: int
    line: int


def segments(text: str) -> list[Segment] | None:
    """The statements at the margin of a text, in order; None where only parsing can tell."""
    try:
        starts = _starts(text)
    except UnclearError:
        return None
    found, line = list[Segment](), 1
    for (start, head), end in zip(starts, [*(start for start, _ in starts[1:]), len(text)], strict=True):
        found.append(Segment(start, head, end, line))
        line += text.count("\n", start, end)
    return found


def _starts(text: str) -> list[tuple[int, int]]:
    """Where statements begin, the first with what is before it, and the last line at the margin of each."""
    starts: list[tuple[int, int]] = [(0, 0)]
    at = next_line(_MARGIN, text, 0)
    while at is not None:
        start, head = starts[-1]
        if _goes_on(text, head, at):
            starts[-1] = start, at
        else:
            starts.append((at, at))
        at = next_line(_MARGIN, text, at)
    return starts


def _goes_on(text: str, before: int, line: int) -> bool:
    """Whether a line at the margin is a part of the statement that the last such line before it is one of."""
    is_decorated = text.startswith("@", before) and _DECORATED.match(text, line) is not None
    return is_decorated or _GOES_ON.match(text, line) is not None

"""The statements at the margin of a text, told without parsing it.

Strings, comments and brackets are followed as the tokenizer does; nothing else has to be, for a statement to be seen to
end where the next line that is no part of it begins.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_QUIET: Final = r"""
    [^"'#()\[\]{}\\\n\r\f]++
    | \#[^\n\r\f]*+
    | \"{3} (?: [^"\\] | \\. | "(?!"") )*+ \"{3}
    | '{3} (?: [^'\\] | \\. | '(?!'') )*+ '{3}
    | "(?!"") (?: [^"\\\n] | \\. )*+ "
    | '(?!'') (?: [^'\\\n] | \\. )*+ '
    | \( [^"'#()\[\]{}\\\n\r\f]*+ \)
    | \\\n
    | \n (?= [ \t\n\#)\]}] | \Z )
"""
"""What says nothing of where a statement ends: a line that goes on with one, too."""
_NEXT: Final = re.compile(rf"(?:{_QUIET})*+ (?P<mark> [(\[{{] | [)\]}}] | \n | \Z )", re.VERBOSE | re.DOTALL)
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
    starts = _starts(text)
    if starts is None:
        return None
    found, line = list[Segment](), 1
    for (start, head), end in zip(starts, [*(start for start, _ in starts[1:]), len(text)], strict=True):
        found.append(Segment(start, head, end, line))
        line += text.count("\n", start, end)
    return found


def _starts(text: str) -> list[tuple[int, int]] | None:
    """Where statements begin, the first with what is before it, and the last line at the margin of each.

    None where brackets or strings do not come out even.
    """
    starts, at, depth = [(0, 0)], 0, 0
    while (found := _NEXT.match(text, at)) is not None and depth >= 0:
        at, mark = found.end(), found["mark"]
        if not mark:
            return None if depth else starts
        if mark != "\n":
            depth += 1 if mark in "([{" else -1
        elif not depth:
            start, head = starts[-1]
            if _goes_on(text, head, at):
                starts[-1] = start, at
            else:
                starts.append((at, at))
    return None


def _goes_on(text: str, before: int, line: int) -> bool:
    """Whether a line at the margin is a part of the statement that the last such line before it is one of."""
    is_decorated = text.startswith("@", before) and _DECORATED.match(text, line) is not None
    return is_decorated or _GOES_ON.match(text, line) is not None

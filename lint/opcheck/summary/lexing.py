"""Following a text as the tokenizer does, past strings, comments and brackets, to where its lines end.

Nothing is parsed. What says nothing of where a statement ends is passed over at once.
"""

from __future__ import annotations

import re
from typing import Final

_QUIET: Final = r"""
    [^"'#()\[\]{}\\\n\r\f]++
    | \#[^\n\r\f]*+
    | \"{3} (?: [^"\\] | \\. | "(?!"") )*+ \"{3}
    | '{3} (?: [^'\\] | \\. | '(?!'') )*+ '{3}
    | "(?!"") (?: [^"\\\n] | \\. )*+ "
    | '(?!'') (?: [^'\\\n] | \\. )*+ '
    | \( [^"'#()\[\]{}\\\n\r\f]*+ \)
    | \\\n
"""


class UnclearError(Exception):
    """Only parsing tells what a stretch of a file is."""


def line_end(passed: str) -> re.Pattern[str]:
    """What finds the end of a line, but for those that are `passed`: what follows such a one matches this pattern.

    It stops at brackets as well, for who counts them.
    """
    mark = r"(?P<mark> [(\[{] | [)\]}] | \n | \Z )"
    return re.compile(rf"(?: {_QUIET} | \n (?= {passed} ) )*+ {mark}", re.VERBOSE | re.DOTALL)


def next_line(pattern: re.Pattern[str], text: str, at: int) -> int | None:
    """Where the first line begins after `at` whose end before it `pattern` finds, outside of brackets; None for none.

    Raises `UnclearError` where brackets or strings do not come out even, or a line ends as only the parser knows.
    """
    depth = 0
    while (found := pattern.match(text, at)) is not None and depth >= 0:
        at, mark = found.end(), found["mark"]
        if mark == "\n":
            if not depth:
                return at
        elif mark:
            depth += 1 if mark in "([{" else -1
        elif not depth:
            return None
        else:
            break
    raise UnclearError

"""Where the bodies of a text's functions lie, told without parsing them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from .lexing import UnclearError, masked, outside_brackets

_DEF: Final = re.compile(rb"([ \t]*+)(?:async[ \t]+)?def\b")
_LATER: Final = re.compile(rb"\n" + _DEF.pattern)
_LINE_END: Final = re.compile(rb"\n")
_BLANK: Final = b" \t\n"
_DEEPEST: Final = 200
"""Characters of indentation: each depth has a pattern of its own."""
_WORTH: Final = 100
"""Characters: a shorter body is parsed as fast as it is set aside."""


class Body(NamedTuple):
    """What is written below the header of a `def`: the offsets it lies between, and its lines, counted from 1.

    `header` is the line of the `def`, `indent` what stands before that. `last` is the last line that holds code, up to
    `last_column`, in bytes.
    """

    start: int
    end: int
    header: int
    line: int
    last: int
    last_column: int
    indent: str


def bodies(text: str) -> Iterator[Body]:
    """The bodies that are worth setting aside, in order. The functions in a function are a part of it.

    Raises `UnclearError` where only parsing can tell.
    """
    mask = masked(text)
    line, counted, head = 1, 0, _DEF.match(mask) or _LATER.search(mask)
    while head is not None and (header := next(outside_brackets(_LINE_END, mask, head.end()), None)) is not None:
        at, start, indent = head.start(1), header.end(), head[1].decode()
        end = _end_of_block(mask, header.start(), len(indent))
        code = _code(mask, start, end)
        column = len(text[text.rfind("\n", 0, code) + 1 : code].encode())
        if code - start >= _WORTH and len(indent) + 1 < column:
            line, counted = line + text.count("\n", counted, at), at
            first = line + text.count("\n", at, start)
            yield Body(start, end, line, first, first + text.count("\n", start, code), column, indent)
        head = _LATER.search(mask, end - 1)


def _end_of_block(mask: bytes, header: int, indent: int) -> int:
    """Where the line begins that is no part of a block any more, below a header that so much stands before."""
    if indent > _DEEPEST:
        raise UnclearError
    found = next(outside_brackets(_no_deeper(indent), mask, header), None)
    return len(mask) if found is None else found.start() + 1


@cache
def _no_deeper(indent: int) -> re.Pattern[bytes]:
    """The end of a line before one that is no deeper. A tab counts as one: Python asks that of a block, too."""
    return re.compile(rb"\n[ \t]{0,%d}+[^ \t\n]" % indent)


def _code(mask: bytes, start: int, end: int) -> int:
    """Where the last statement of a body ends; the start where only parsing can tell that."""
    code = mask[start:end].rstrip(_BLANK)
    return start if code.endswith(b";") else start + len(code)

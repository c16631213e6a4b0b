"""Where the bodies of a text's functions lie, told without parsing them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from .lexing import UnclearError, line_end, next_line

_DEF: Final = re.compile(r"([ \t]*)(?:async[ \t]+)?def\b")
_TO_DEF: Final = line_end(rf"(?! {_DEF.pattern} )")
_TO_NEXT: Final = line_end(r"(?!)")
_BLANK: Final = " \t\n"
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
    line, counted, head = 1, 0, _next_def(text, 0)
    while head is not None and (start := next_line(_TO_NEXT, text, head.start())) is not None:
        at, indent = head.start(), head[1]
        if len(indent) > _DEEPEST:
            raise UnclearError
        end = next_line(_to_end_of_block(len(indent)), text, start - 1) or len(text)
        code = _code(text[start:end])
        column = len(code[code.rfind("\n") + 1 :].encode())
        if len(code) >= _WORTH and len(indent) + 1 < column:
            line, counted = line + text.count("\n", counted, at), at
            first = line + text.count("\n", at, start)
            yield Body(start, end, line, first, first + code.count("\n"), column, indent)
        head = _next_def(text, end)


def _next_def(text: str, line: int) -> re.Match[str] | None:
    """How the next line begins that defines a function, from the beginning of one that is no part of another."""
    at = line if _DEF.match(text, line) else next_line(_TO_DEF, text, line)
    return None if at is None else _DEF.match(text, at)


@cache
def _to_end_of_block(indent: int) -> re.Pattern[str]:
    """What finds the end of a block below a header that so much stands before.

    A tab counts as one: Python asks of a block that it be deeper so counted, too.
    """
    return line_end(rf"[ \t]{{{indent + 1}}} | [ \t]*[\n\#] | \Z")


def _code(body: str) -> str:
    """A body up to the end of its last statement; nothing where only parsing can tell where that is."""
    end = len(body)
    while end:
        start = body.rfind("\n", 0, end) + 1
        code, mark, comment = body[start:end].partition("#")
        if mark and ('"' in code + comment or "'" in code + comment):
            return ""
        if code := code.rstrip(_BLANK):
            return "" if code.endswith((";", "\\")) else body[: start + len(code)]
        end = max(start - 1, 0)
    return ""

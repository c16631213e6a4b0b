"""`# opcheck: ignore[OPC101, kernel-missing] reason`: the comments that suppress findings on their line."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from opcheck.config import positions as toml
from opcheck.cpp import text as cpp
from opcheck.reading import IgnoreComment
from opcheck_rules.model.finding import Span

_NEEDLE: Final = "opcheck:"
_IGNORE: Final = re.compile(r"opcheck:\s*ignore\b(?:\s*\[(?P<rules>[^\[\]]*)\])?")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_RULE: Final = re.compile(r"[^\s,]+")


def ignore_comments(path: Path, text: str) -> Iterator[IgnoreComment]:
    """What the comments of a Python, TOML or C++ source say to ignore."""
    lines = _LINE_END.split(text) if _NEEDLE in text else []
    for line, column, comment in _comments(path, text) if lines else ():
        beside = "\n".join([lines[line - 1][: column - 1].strip(), *map(str.strip, lines[line : line + 1])])
        for found in _IGNORE.finditer(comment):
            for name, (start, end) in _named(found):
                yield IgnoreComment(name, Span(str(path), line, column + start, line, column + end), beside)


def _named(found: re.Match[str]) -> Iterable[tuple[str, tuple[int, int]]]:
    """The rules in the brackets, each where it stands; the whole of an `ignore` that has none."""
    names = _RULE.finditer(found.string, *found.span("rules")) if found["rules"] else ()
    return [(name[0], name.span()) for name in names] or [("", found.span())]


def _comments(path: Path, text: str) -> Iterator[tuple[int, int, str]]:
    """The comments that may matter, each with its line and column."""
    if path.suffix == ".py":
        yield from _python_comments(text)
        return
    line, counted = 1, 0
    for start, comment in (toml if path.suffix == ".toml" else cpp).comments(text):
        if _NEEDLE in comment and "\n" not in comment:
            line, counted = line + text.count("\n", counted, start), start
            yield line, start - text.rfind("\n", 0, start), comment


def _python_comments(text: str) -> Iterator[tuple[int, int, str]]:
    lines = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n"))
    # A file in a syntax newer than this interpreter's is followed as far as it can be.
    with suppress(tokenize.TokenError, SyntaxError):
        for token in tokenize.generate_tokens(lines.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.start[1] + 1, token.string

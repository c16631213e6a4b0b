"""A text without its strings and comments, in which lines and brackets are what they seem. Nothing is parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

# Each branch begins with a character of its own, so that the search passes over all others at once.
_OPAQUE: Final = re.compile(
    rb"""
    \#[^\n]*+
    | \"\"\" (?: [^"\\]++ | \\. | "(?!"") )*+ \"\"\"
    | \'\'\' (?: [^'\\]++ | \\. | '(?!'') )*+ \'\'\'
    | " (?!"") (?: [^"\\\n]++ | \\. )*+ "
    | ' (?!'') (?: [^'\\\n]++ | \\. )*+ '
    | \\\n
    | ["'\\]
    """,
    re.VERBOSE | re.DOTALL,
)
_UNCLEAR: Final = (b'"', b"'", b"\\")
"""A quote that opens nothing which ends, and a backslash that takes nothing back."""
_BLANK: Final = (b"#", b"\\")
_ALL_BUT_OPENING: Final = bytes(set(range(256)) - set(b"([{"))
_ALL_BUT_CLOSING: Final = bytes(set(range(256)) - set(b")]}"))


class UnclearError(Exception):
    """Only parsing tells what a stretch of a file is."""


def masked(text: str) -> bytes:
    """As many bytes as a text has characters, in which each line end ends a line, and each bracket is one.

    Blanks stand for comments and for line ends that a backslash takes back, letters for strings and for what is not
    ASCII. Raises `UnclearError` where a string has no end, or a line ends as only the parser knows.
    """
    data = text.encode() if text.isascii() else text.encode("ascii", "replace").replace(b"?", b"x")
    found = _OPAQUE.sub(_mask, data)
    if b"\r" in data or b"\f" in found:
        raise UnclearError
    return found


def _mask(found: re.Match[bytes]) -> bytes:
    # The first is the end of it: to search for the end of each of many takes too long.
    if found[0] in _UNCLEAR:
        raise UnclearError
    return (b" " if found[0].startswith(_BLANK) else b"s") * len(found[0])


def outside_brackets(pattern: re.Pattern[bytes], mask: bytes, at: int = 0) -> Iterator[re.Match[bytes]]:
    """What `pattern` finds behind `at` that no bracket encloses which is opened there.

    Raises `UnclearError` at the end where brackets do not come out even.
    """
    opened, counted = 0, at
    for found in pattern.finditer(mask, at):
        start = found.start()
        opened += _depth(mask[counted:start])
        counted = start
        if not opened:
            yield found
    if opened + _depth(mask[counted:]):
        raise UnclearError


def _depth(stretch: bytes) -> int:
    """How many more brackets a stretch opens than it closes."""
    return len(stretch.translate(None, _ALL_BUT_OPENING)) - len(stretch.translate(None, _ALL_BUT_CLOSING))

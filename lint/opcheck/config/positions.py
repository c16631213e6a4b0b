"""Where the keys and values of a TOML document stand, which `tomllib` does not tell.

The scanner is for text that `tomllib` has accepted: it finds boundaries and judges nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

Keys = tuple[str | int, ...]

_BLANK: Final = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_STRING: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'", re.DOTALL
)
_STRING_OR_COMMENT: Final = re.compile(rf"{_STRING.pattern}|#[^\n]*", re.DOTALL)
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR: Final = re.compile(r"[^,\]}#\n]+")


class Extent(Struct, frozen=True):
    """A stretch of text, by offsets in characters, the end exclusive."""

    start: int
    end: int


class Positions(Struct, frozen=True):
    """The extents of a document, by the keys (and list indices) that lead to them.

    `keys` holds where each key is first written, `values` each value, `pairs` each `key = value` as a whole.
    """

    keys: dict[Keys, Extent] = field(default_factory=dict[Keys, Extent])
    values: dict[Keys, Extent] = field(default_factory=dict[Keys, Extent])
    pairs: dict[Keys, Extent] = field(default_factory=dict[Keys, Extent])


def positions(text: str) -> Positions:
    """Find every key and value of `text`, a document that `tomllib` accepts."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.found


def comments(text: str) -> Iterator[tuple[int, str]]:
    """Every comment of a document that `tomllib` accepts, with the offset it starts at."""
    return ((found.start(), found[0]) for found in _STRING_OR_COMMENT.finditer(text) if found[0].startswith("#"))


class _Scanner:
    """Descends through a document, one method a construct, each of which leaves `at` behind what it read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found = Positions()
        self.last_index: dict[Keys, int] = {}

    def document(self) -> None:
        table: Keys = ()
        while self.peek():
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)

    def peek(self) -> str:
        """The next character that is neither blank nor comment, empty at the end."""
        self.at = self.end_of(_BLANK)
        return self.text[self.at : self.at + 1]

    def end_of(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        return match.end() if match else self.at

    def header(self) -> Keys:
        repeated = self.text.startswith("[[", self.at)
        self.at += 2 if repeated else 1
        keys = self.key((), "]")
        self.at += 2 if repeated else 1
        if not repeated:
            return keys
        # A further table of an array: what `key` resolved to is the one before it.
        array = keys[:-1] if isinstance(keys[-1], int) else keys
        self.last_index[array] = self.last_index.get(array, -1) + 1
        element = (*array, self.last_index[array])
        self.found.keys[element] = self.found.keys[array]
        return element

    def pair(self, table: Keys) -> None:
        self.peek()
        start = self.at
        keys = self.key(table, "=")
        self.at += 1
        self.peek()
        self.value(keys)
        self.found.pairs[keys] = Extent(start, self.at)

    def key(self, keys: Keys, end: str) -> Keys:
        """Read a dotted key up to `end`, and resolve it to the last table of each array on its way."""
        while self.peek() != end:
            if self.text[self.at] == ".":
                self.at += 1
                continue
            keys += (self.key_part(keys),)
            if keys in self.last_index:
                keys += (self.last_index[keys],)
        return keys

    def key_part(self, keys: Keys) -> str:
        start = self.at
        quoted = self.text[start] in "\"'"
        self.at = self.end_of(_STRING if quoted else _BARE_KEY)
        written = self.text[start : self.at]
        part = next(iter(tomllib.loads(f"{written} = 0"))) if quoted else written
        self.found.keys.setdefault((*keys, part), Extent(start, self.at))
        return part

    def value(self, keys: Keys) -> None:
        start = self.at
        first = self.text[start]
        if first == "[":
            self.array(keys)
        elif first == "{":
            self.inline_table(keys)
        elif first in "\"'":
            self.at = self.end_of(_STRING)
        else:
            self.at = start + len(self.text[start : self.end_of(_SCALAR)].rstrip())
        self.found.values[keys] = Extent(start, self.at)

    def array(self, keys: Keys) -> None:
        self.at += 1
        index = 0
        while self.peek() != "]":
            self.value((*keys, index))
            index += 1
            self.comma()
        self.at += 1

    def inline_table(self, keys: Keys) -> None:
        self.at += 1
        while self.peek() != "}":
            self.pair(keys)
            self.comma()
        self.at += 1

    def comma(self) -> None:
        if self.peek() == ",":
            self.at += 1

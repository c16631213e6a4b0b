"""A C++ source as text: what in it is comment, string, preprocessor directive and code.

Everything after this works on copies of the source in which what does not matter has become blanks, so that an offset
means the same place in each.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from msgspec import Struct

from opcheck_rules.model.finding import Span

MARK: Final = "\x1f"
"""Stands in the shape of a source where a directive does. It counts as a blank."""

HOLE: Final = "\u02ad"
"""Stands for each character of a name that a template will fill in: no source has this letter."""

_TOKEN: Final = r"""
    (?P<comment>//(?:[^\\\n]|\\(?:\r\n|.))*+|/\*.*?(?:\*/|\Z))
  | (?P<raw>\b(?:u8|[uUL])?R"(?P<fence>[^()\\\s"]{0,16})\(.*?(?:\)(?P=fence)"|\Z))
  | (?P<string>"(?:[^"\\\n]|\\(?:\r\n|.))*+"?)
  | (?P<char>(?<!\w)(?:u8|[uUL])?'(?:[^'\\\n]|\\.){1,12}')
  | (?P<directive>^[ \t]*\#(?://[^\n]*+|/\*.*?(?:\*/|\Z)|[^\n\\]|\\(?:\r\n|.))*+)
"""
_TEMPLATE: Final = r"""
  | (?P<step>\{%.*?(?:%\}|\Z))
  | (?P<note>\{\#.*?(?:\#\}|\Z))
  | (?P<hole>\{\{[^{}\n]*+\}\})
"""
_FLAGS: Final = re.VERBOSE | re.DOTALL | re.MULTILINE
_PLAIN: Final = re.compile(_TOKEN, _FLAGS)
_TEMPLATED: Final = re.compile(_TOKEN + _TEMPLATE, _FLAGS)
_BRACKET: Final = re.compile(r"[()\[\]{},]")
_INK: Final = re.compile(r"[^\n]+")
_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class Directive(Struct, frozen=True):
    """A preprocessor directive, or a step of a template (`{% if x %}`): its word, and what follows."""

    offset: int
    word: str
    rest: str
    is_template: bool = False


@dataclass(frozen=True)
class Text:
    """One source. `code` has no comments or directives; `shape` has empty strings too, and a mark for a directive."""

    path: str
    source: str
    code: str
    shape: str
    directives: tuple[Directive, ...]

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.source))]

    def span(self, start: int, end: int) -> Span:
        """The stretch between two offsets."""
        return Span(self.path, *self._place(start), *self._place(end))

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1


def decode(data: bytes) -> str:
    """The characters of a source, whatever its encoding; no control character that is used as a mark survives."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            text = data[len(bom) :].decode(encoding, "replace")
            break
    else:
        text = data.decode("utf-8", "replace")
    return text.replace("\0", " ").replace(MARK, " ")


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Every comment, with the offset it starts at."""
    return ((match.start(), match[0]) for match in _PLAIN.finditer(source) if match.lastgroup == "comment")


def read_text(path: str, source: str) -> Text:
    """Tell comments, strings, directives and code of a source apart."""
    code, shape, directives, end = list[str](), list[str](), list[Directive](), 0
    for match in (_TEMPLATED if "{%" in source or "{{" in source else _PLAIN).finditer(source):
        between = source[end : match.start()]
        in_code, in_shape = _views(match)
        code += (between, in_code)
        shape += (between, in_shape)
        directives += _directives(match)
        end = match.end()
    rest = source[end:]
    return Text(path, source, "".join((*code, rest)), "".join((*shape, rest)), tuple(directives))


def blank(text: str) -> str:
    """As many blanks, on the same lines."""
    return _INK.sub(lambda match: " " * len(match[0]), text)


def split_at_commas(shape: str, start: int, end: int) -> list[tuple[int, int]]:
    """The stretches between the commas that stand outside any bracket."""
    parts, depth = list[tuple[int, int]](), 0
    for match in _BRACKET.finditer(shape, start, end):
        depth += (match[0] in "([{") - (match[0] in ")]}")
        if match[0] == "," and depth == 0:
            parts.append((start, match.start()))
            start = match.end()
    return [*parts, (start, end)]


def _views(match: re.Match[str]) -> tuple[str, str]:
    text = match[0]
    match match.lastgroup:
        case "string" | "raw" | "char":
            return text, f'"{blank(text[1:-1])}"' if len(text) > 1 else " "
        case "directive" | "step":
            return blank(text), MARK + blank(text[1:])
        case "hole":
            return HOLE * len(text), HOLE * len(text)
        case _:
            return blank(text), blank(text)


_WORDS: Final = re.compile(r"\s*#\s*(\w+)(.*)", re.DOTALL)
_STEP: Final = re.compile(r"\{%[-+]?\s*(\w+)(.*?)[-+]?(?:%\}|\Z)", re.DOTALL)
_ASIDE: Final = re.compile(r'(?P<kept>"(?:[^"\\\n]|\\.)*+")|//[^\n]*|/\*.*?(?:\*/|\Z)|\\\r?\n', re.DOTALL)


def _directives(match: re.Match[str]) -> list[Directive]:
    is_template = match.lastgroup == "step"
    if not is_template and match.lastgroup != "directive":
        return []
    words = _STEP.match(match[0]) if is_template else _WORDS.match(match[0])
    if words is None:
        return []
    rest = _ASIDE.sub(lambda aside: aside["kept"] or " ", words[2]).strip()
    return [Directive(match.start(), words[1], rest, is_template)]

"""A source file as it is edited: its text, the places in it, and its bytes once edits are made."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from opcheck_rules.model.finding import Edit, Span

_LINE_END: Final = re.compile(r"\r\n|\r|\n")


class Document(Struct, frozen=True, dict=True):
    """A file's text in its own line endings, without the mark that may stand before it."""

    path: Path
    text: str
    encoding: str

    @property
    def is_python(self) -> bool:
        """Whether it is a Python file."""
        return self.path.suffix == ".py"

    @cached_property
    def newline(self) -> str:
        """How the first line ends."""
        found = _LINE_END.search(self.text)
        return found[0] if found else "\n"

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line starts."""
        lines = io.StringIO(f"{self.text}.", newline="")
        return [0, *accumulate(map(len, lines))][:-1]

    def offset(self, line: int, column: int) -> int:
        """The offset of a place."""
        return self.starts[min(line, len(self.starts)) - 1] + column - 1

    def extent(self, span: Span) -> tuple[int, int]:
        """The offsets that a span lies between."""
        return self.offset(span.line, span.column), self.offset(span.end_line, span.end_column)

    def lines(self, first: int, last: int) -> tuple[int, int]:
        """The offsets that some whole lines lie between."""
        return self.starts[first - 1], self.starts[last] if last < len(self.starts) else len(self.text)

    def margin(self, offset: int) -> str:
        """What stands before an offset on its line."""
        return self.text[self.starts[bisect_right(self.starts, offset) - 1] : offset]

    def at(self, span: Span) -> str:
        """What stands at a span."""
        start, end = self.extent(span)
        return self.text[start:end]

    def edit(self, start: int, end: int, text: str) -> Edit:
        """Put `text`, whose lines end in a plain newline, in the place of what stands between two offsets."""
        span = Span(str(self.path), *self._place(start), *self._place(end))
        return Edit(span, text.replace("\n", self.newline))

    def edited(self, edits: Iterable[Edit]) -> bytes:
        """The bytes of the file with edits made that do not overlap. Raises UnicodeEncodeError where it has no such."""
        parts, end = list[str](), 0
        for edit in sorted(edits):
            start, after = self.extent(edit.span)
            parts += (self.text[end:start], edit.text)
            end = after
        return "".join((*parts, self.text[end:])).encode(self.encoding)

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


Documents: TypeAlias = Callable[[str], Document | None]
"""The documents by their paths; None for a file that cannot be read, or written again as it was."""


def documents() -> Documents:
    """The files as they are on disk, each read once."""
    return cache(_read)


def document_of(path: Path, data: bytes) -> Document | None:
    """The document that a file's bytes are."""
    try:
        encoding = _encoding(path, data)
        document = Document(path, data.decode(encoding), encoding)
        return document if document.edited(()) == data else None
    except (SyntaxError, LookupError, UnicodeError):
        return None


def _read(path: str) -> Document | None:
    try:
        return document_of(Path(path), Path(path).read_bytes())
    except OSError:
        return None


def _encoding(path: Path, data: bytes) -> str:
    if path.suffix == ".py":
        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    return "utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "utf-8"

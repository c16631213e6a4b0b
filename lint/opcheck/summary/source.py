"""A Python file, decoded, and parsed as far as it is asked for."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from array import array
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Unreadable

from .lines import first_line
from .parsing import parsed

LARGEST_FILE = 16 * 1024 * 1024
"""Bytes. A Python file larger than this is data, not declarations: it is reported as not read."""
_END_OF_LINE: Final = re.compile(r"\r\n|\r|\n")
"""Only these end a line for the tokenizer; `str.splitlines` also splits at a form feed."""


class UnreadableError(Exception):
    """A file that cannot be decoded or parsed; `fact` says where and why."""

    def __init__(self, fact: Unreadable) -> None:
        super().__init__(fact.reason)
        self.fact = fact


@dataclass(eq=False)
class Source:
    """One file, parsed: columns of its nodes count UTF-8 bytes, as `ast` has them; `span` counts characters."""

    path: Path
    text: str
    tree: ast.Module

    def span(self, node: ast.expr | ast.stmt | ast.excepthandler | ast.arg | ast.keyword) -> Span:
        """Where a node stands."""
        end_line, end_offset = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        start = self._column(node.lineno, node.col_offset)
        return Span(str(self.path), node.lineno, start, end_line, self._column(end_line, end_offset))

    def signature_span(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
        """Where the name of a definition stands: the line of its `def` or `class`."""
        column = self._column(node.lineno, node.col_offset)
        line = self._line(node.lineno).decode("utf-8", "replace").rstrip()
        return Span(str(self.path), node.lineno, column, node.lineno, max(len(line) + 1, column + 1))

    def _column(self, line: int, offset: int) -> int:
        return len(self._line(line)[:offset].decode("utf-8", "replace")) + 1

    def written(self, statement: ast.stmt) -> str:
        """The lines that a statement stands on, decorators included."""
        return self._between(first_line(statement), statement.end_lineno or statement.lineno)

    def _line(self, line: int) -> bytes:
        return self._between(line, line).rstrip("\r\n").encode("utf-8", "surrogatepass")

    def _between(self, first: int, last: int) -> str:
        starts = self._starts
        end = starts[last] if last < len(starts) else len(self.text)
        return self.text[starts[first - 1] : end] if first <= len(starts) else ""

    @cached_property
    def _starts(self) -> array[int]:
        """Where each line begins."""
        return array("L", [0, *(end.end() for end in _END_OF_LINE.finditer(self.text))])


def read_source(path: Path) -> Source:
    """Read one file. Raises `UnreadableError` where it cannot be read, decoded or parsed."""
    return parse_source(path, decode(path, read_bytes(path)))


def parse_source(path: Path, text: str) -> Source:
    """Parse text. Raises `UnreadableError` for what is no Python, or nested too deeply to be read."""
    try:
        return Source(path, text, _tree(text))
    except SyntaxError as error:
        line, column = max(error.lineno or 1, 1), max(error.offset or 1, 1)
        raise UnreadableError(_unreadable(path, f"not valid Python: {error.msg}", line, column)) from error
    except (ValueError, RecursionError, MemoryError) as error:
        reason = str(error) if isinstance(error, ValueError) else "nested too deeply"
        raise UnreadableError(_unreadable(path, f"not valid Python: {reason}")) from error


def _tree(text: str) -> ast.Module:
    """The syntax tree, of a file in a newer syntax than this interpreter's as well."""
    try:
        return parsed(text)
    except SyntaxError:
        # Imported only where it is needed: it takes longer than most files do.
        from .newer import in_older_syntax  # noqa: PLC0415

        older = in_older_syntax(text)
        if older is None:
            raise
        return parsed(older)


def read_bytes(path: Path) -> bytes:
    """The bytes of a file. Raises `UnreadableError` where they cannot be had, or are too many to be code."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise UnreadableError(_unreadable(path, f"larger than {LARGEST_FILE // 2**20} MiB"))
        return path.read_bytes()
    except OSError as error:
        raise UnreadableError(_unreadable(path, f"cannot be read: {error.strerror}")) from error


def decode(path: Path, data: bytes) -> str:
    """The text of a file. Raises `UnreadableError` where its bytes are none in its encoding."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, UnicodeError, LookupError) as error:
        line = data[: error.start].count(b"\n") + 1 if isinstance(error, UnicodeDecodeError) else 1
        raise UnreadableError(_unreadable(path, f"cannot be decoded: {error}", line)) from error


def _unreadable(path: Path, reason: str, line: int = 1, column: int = 1) -> Unreadable:
    return Unreadable(Span(str(path), line, column, line, column + 1), reason)

"""Python as it is edited: which statement a place of it belongs to, and what else stands on the lines of that."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from typing import Final, TypeAlias

from msgspec import Struct

from opcheck.reading import Statements
from opcheck.summary import parsing
from opcheck.summary.lines import first_line
from opcheck.summary.nodes import children, walk
from opcheck_rules.model.finding import Edit, Span

from .document import Document, Documents

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_BLOCKS: Final = ("body", "orelse", "finalbody")
_REST_OF_ITEM: Final = re.compile(r"[ \t]*(?P<comma>,)?[ \t]*(?:#[^\r\n]*)?(?P<breaks>(?=[\r\n]))?")
_OPENED: Final = re.compile(r"\(\s*\Z")
_CLOSED: Final = re.compile(r"\s*\)")
_END_OF_STATEMENT: Final = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)")


class Code(Struct, frozen=True, dict=True):
    """A document that is Python, with the syntax tree of it, or of a part of it.

    The tree is walked once: many ops may be declared in one statement.
    """

    document: Document
    tree: ast.Module

    def node(self, span: Span) -> ast.expr | ast.stmt | None:
        """The outermost node that stands exactly at a span."""
        start = span.line, len(self.line(min(span.line, len(self.document.starts)))[: span.column - 1].encode())
        return next((node for node in self._starting.get(start, ()) if self.span(node) == span), None)

    def decorated(self, span: Span) -> tuple[Function, ast.expr] | None:
        """The function that has a decorator which a span is, or is part of; and that decorator."""
        for function in self._functions(span.line):
            for decorator in function.decorator_list:
                if self.span(decorator).holds(span):
                    return function, decorator
        return None

    def defined(self, span: Span) -> Function | None:
        """The function whose definition is reported at a span."""
        return next((f for f in self._functions(span.line) if self.signature_span(f) == span), None)

    def around(self, node: ast.expr | ast.stmt | None) -> list[ast.AST]:
        """The nodes around a node, from the inside out."""
        found: list[ast.AST] = []
        outer = self._parents.get(node) if node else None
        while outer is not None:
            found.append(outer)
            outer = self._parents.get(outer)
        return found

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements that one stands among."""
        parent, *_ = self.around(statement)
        blocks: list[list[ast.stmt]] = [getattr(parent, name, []) for name in _BLOCKS]
        return next(block for block in blocks if statement in block)

    def _functions(self, line: int) -> Iterator[Function]:
        """The functions that a line is a part of, each before those inside it."""
        for node in self._parents:
            if isinstance(node, Function):
                first, last = self.lines(node)
                if first <= line <= last:
                    yield node

    @cached_property
    def _parents(self) -> Mapping[ast.AST, ast.AST]:
        """What each node lies in, each node before those inside it."""
        return {child: node for node in walk([self.tree]) for child in children(node)}

    @cached_property
    def _starting(self) -> Mapping[tuple[int, int], list[ast.expr | ast.stmt]]:
        """The nodes that start at a line and a byte of it, each before those inside it."""
        found: dict[tuple[int, int], list[ast.expr | ast.stmt]] = defaultdict(list)
        for node in self._parents:
            if isinstance(node, ast.expr | ast.stmt):
                found[node.lineno, node.col_offset].append(node)
        return found

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> Span:
        """Where a node stands, as reports count: `ast` counts bytes."""
        end_line, end_byte = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        column, end_column = self._column(node.lineno, node.col_offset), self._column(end_line, end_byte)
        return Span(str(self.document.path), node.lineno, column, end_line, end_column)

    def signature_span(self, function: Function) -> Span:
        """Where a definition is reported: at the line of its `def`."""
        line, column = function.lineno, self._column(function.lineno, function.col_offset)
        return Span(str(self.document.path), line, column, line, max(len(self.line(line).rstrip()), column) + 1)

    def _column(self, line: int, byte: int) -> int:
        # What is inside an f-string may be said to stand elsewhere than it does.
        whole = self.line(min(line, len(self.document.starts)))
        return len(whole.encode()[:byte].decode("utf-8", "replace")) + 1

    def extent(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        """The offsets that a node lies between."""
        return self.document.extent(self.span(node))

    def lines(self, statement: ast.stmt) -> tuple[int, int]:
        """The first and the last line of a statement, its decorators among them."""
        return first_line(statement), statement.end_lineno or statement.lineno

    def line(self, number: int) -> str:
        """A line with its end."""
        start, end = self.document.lines(number, number)
        return self.document.text[start:end]

    def margin(self, statement: ast.stmt) -> str:
        """What stands before a statement on its line."""
        return self.document.margin(self.extent(statement)[0])

    def is_alone(self, statement: ast.stmt) -> bool:
        """Whether nothing but a comment stands beside a statement on its lines."""
        _, end = self.extent(statement)
        return not self.margin(statement).strip() and bool(_END_OF_STATEMENT.match(self.document.text, end))

    def beside(self, item: tuple[int, int], text: str) -> Edit:
        """Add an item after another: on a line of its own where that is, and then below the comment beside it."""
        start, end = item
        rest, margin = _REST_OF_ITEM.match(self.document.text, end), self.document.margin(start)
        if rest is None or margin.strip():
            return self.document.edit(end, end, f", {text}")
        if rest["breaks"] is None:
            return self.document.edit(end, end, f",\n{margin}{text}")
        if rest["comma"]:
            return self.document.edit(rest.end(), rest.end(), f"\n{margin}{text},")
        return self.document.edit(end, rest.end(), f",{rest[0]}\n{margin}{text}")

    def item(self, item: ast.expr, display: ast.expr) -> tuple[int, int]:
        """The offsets that an item of a list lies between with the parentheses around it, which its node leaves out."""
        text, (start, end), (first, last) = self.document.text, self.extent(item), self.extent(display)
        while (opened := _OPENED.search(text, first + 1, start)) and (closed := _CLOSED.match(text, end, last - 1)):
            start, end = opened.start(), closed.end()
        return start, end

    def without(self, first: int, last: int, instead: str = "") -> Edit:
        """Remove lines, or put text in their place."""
        return self.document.edit(*self.document.lines(first, last), instead)

    def below(self, statement: ast.stmt, text: str) -> Edit:
        """Add lines after a statement."""
        _, end = self.document.lines(*self.lines(statement))
        is_ended = self.document.text[end - 1] in "\r\n"
        return self.document.edit(end, end, text if is_ended else f"\n{text}")


Codes: TypeAlias = Callable[[Span], Code | None]
"""The statement at the margin that a place is a part of; of a file whose statements are not known, all of it."""


def codes(documents: Documents, statements: Statements) -> Codes:
    """The Python at places of documents, parsed once: a whole file takes many times as long as a statement."""

    @cache
    def parsed(path: str, first: int, after: int | None) -> Code | None:
        return code_of(documents(path), first, after)

    def at(place: Span) -> Code | None:
        lines = statements.get(place.path, ())
        found = bisect_right(lines, place.line)
        return parsed(place.path, lines[found - 1] if found else 1, lines[found] if found < len(lines) else None)

    return at


def code_of(document: Document | None, first: int = 1, after: int | None = None) -> Code | None:
    """A document from a line up to another as Python; None where there is none, or none that this interpreter can read.

    With as many empty lines before it a part has the places that it has in the whole.
    """
    if document is None or not document.is_python or first > len(document.starts):
        return None
    start, end = document.lines(first, after - 1 if after else len(document.starts))
    try:
        return Code(document, parsing.parsed("\n" * (first - 1) + _plain(document.text[start:end])))
    except parsing.BROKEN:
        return None


def _plain(text: str) -> str:
    """A text with the line endings that a parser sees."""
    return text.replace("\r\n", "\n").replace("\r", "\n")

"""A backend that a declaration does not list: written at the end of its list.

Where that can be done is a part of what is read of a project: most runs find what an earlier one has read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from opcheck.reading import BACKEND, Slot, Statements
from opcheck_rules.model.finding import Edit, Span

from .code import Code, Function, codes
from .document import Document, documents

_LISTS: Final = frozenset({"backends", "device_types"})
_NAMED: Final = re.compile(r"\b(?:backends|device_types)\s*=(?:[\s(\\]++|#[^\r\n]*+)*+\Z")
_LONGEST_GAP: Final = 1000
"""Characters between the name of a list and its value that are looked through."""


def slots(listings: Iterable[Span], statements: Statements) -> Iterator[tuple[Span, Slot]]:
    """Which of the places where ops list their backends take one more, and how."""
    opened = documents()
    parsed = codes(opened, statements)
    for place in listings:
        document = opened(place.path)
        code = parsed(place) if document is not None and _is_named(place, document) else None
        edits = _edits(place, code) if code is not None else ()
        if code is not None and edits:
            yield place, Slot(tuple(edits), _serves(place, code))


def _serves(place: Span, code: Code) -> bool:
    """Whether a list belongs to a function that does something."""
    node = code.node(place)
    for inner, outer in pairwise([node, *code.around(node)]):
        if isinstance(outer, Function) and inner in outer.decorator_list:
            return not all(map(_says_nothing, outer.body))
    return False


def _is_named(place: Span, document: Document) -> bool:
    """Whether such a list is at a place, as far as the text before it tells: most ops have none."""
    start, _ = document.extent(place)
    return _NAMED.search(document.text, max(start - _LONGEST_GAP, 0), start) is not None


def _edits(place: Span, code: Code) -> Sequence[Edit]:
    """Add a backend to the list at a place, where that is written out in a declaration."""
    node = code.node(place)
    parent = next(iter(code.around(node)), None)
    if not isinstance(parent, ast.keyword) or parent.arg not in _LISTS:
        return ()
    match node:
        case ast.Constant(value=str()):
            return _listed(code, node)
        case ast.List() | ast.Tuple() | ast.Set() if node.elts and all(map(_is_written_out, node.elts)):
            start, end = code.extent(node.elts[-1])
            item = _quoted(code.document.text[start:end])
            return [code.beside(code.item(node.elts[-1], node), item)]
        case _:
            return ()


def _says_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_written_out(item: ast.expr) -> bool:
    return isinstance(item, ast.Constant | ast.Call)


def _listed(code: Code, node: ast.expr) -> Sequence[Edit]:
    """A list around a single name, and the other one in it."""
    start, end = code.extent(node)
    item = _quoted(code.document.text[start:end])
    return [code.document.edit(start, start, "["), code.document.edit(end, end, f", {item}]")]


def _quoted(beside: str) -> str:
    quote = beside[0] if beside[0] in "'\"" else '"'
    return f"{quote}{BACKEND}{quote}"

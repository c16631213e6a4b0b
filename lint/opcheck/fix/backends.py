"""A backend that a declaration does not list: written at the end of its list."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Final

from opcheck_rules.model.finding import Edit, Finding, Span

from .code import Code
from .document import Document

_LISTS: Final = frozenset({"backends", "device_types"})
_NAMED: Final = re.compile(r"\b(?:backends|device_types)\s*=(?:[\s(\\]|#[^\r\n]*)*\Z")
_LONGEST_GAP: Final = 1000
"""Characters between the name of a list and its value that are looked through."""


def may_be_listed(finding: Finding, document: Document) -> bool:
    """Whether a finding points at such a list, as far as the text before it tells: most do not."""
    start, _ = document.extent(finding.primary)
    named = max(document.text.rfind(name, max(start - _LONGEST_GAP, 0), start) for name in _LISTS)
    return named >= 0 and _NAMED.match(document.text, named, start) is not None


def list_backend(finding: Finding, code: Code) -> Sequence[Edit]:
    """Add the backend to the list that the finding points at, of an op that has a body to serve it."""
    decorated = code.decorated(finding.primary)
    if decorated is None or all(map(_says_nothing, decorated[0].body)):
        return ()
    return list_at(finding.primary, str(finding.backend), code)


def list_at(place: Span, backend: str, code: Code) -> Sequence[Edit]:
    """Add a backend to the list at a place, where that is written out in a declaration."""
    node = code.node(place)
    parent = next(iter(code.around(node)), None)
    if not isinstance(parent, ast.keyword) or parent.arg not in _LISTS:
        return ()
    match node:
        case ast.Constant(value=str()):
            return _listed(code, node, backend)
        case ast.List() | ast.Tuple() | ast.Set() if node.elts and all(map(_is_written_out, node.elts)):
            start, end = code.extent(node.elts[-1])
            item = _quoted(backend, code.document.text[start:end])
            return [code.beside(code.item(node.elts[-1], node), item)]
        case _:
            return ()


def _says_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_written_out(item: ast.expr) -> bool:
    return isinstance(item, ast.Constant | ast.Call)


def _listed(code: Code, node: ast.expr, backend: str) -> Sequence[Edit]:
    """A list around a single name, and the other one in it."""
    start, end = code.extent(node)
    item = _quoted(backend, code.document.text[start:end])
    return [code.document.edit(start, start, "["), code.document.edit(end, end, f", {item}]")]


def _quoted(backend: str, beside: str) -> str:
    quote = beside[0] if beside[0] in "'\"" else '"'
    return f"{quote}{backend}{quote}"

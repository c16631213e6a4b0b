"""A backend that a declaration does not list: written at the end of its list."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Final

from opcheck_rules.model.finding import Edit, Finding

from .code import Code

_LISTS: Final = frozenset({"backends", "device_types"})
_REST_OF_LINE: Final = re.compile(r"[ \t]*(?P<comma>,)?[ \t]*(?:#[^\r\n]*)?(?P<breaks>(?=[\r\n]))?")


def list_backend(finding: Finding, code: Code) -> Sequence[Edit]:
    """Add the backend to the list that the finding points at, where that is written out there."""
    node = code.node(finding.primary)
    parent = next(code.around(node), None)
    if not isinstance(parent, ast.keyword) or parent.arg not in _LISTS:
        return ()
    match node:
        case ast.Constant(value=str()):
            return [_listed(code, node, str(finding.backend))]
        case ast.List() | ast.Tuple() | ast.Set() if node.elts and all(map(_is_written_out, node.elts)):
            return [_extended(code, node.elts[-1], str(finding.backend))]
        case _:
            return ()


def _is_written_out(item: ast.expr) -> bool:
    return isinstance(item, ast.Constant | ast.Call)


def _listed(code: Code, node: ast.expr, backend: str) -> Edit:
    """A list in place of a single name."""
    start, end = code.extent(node)
    written = code.document.text[start:end]
    return code.document.edit(start, end, f"[{written}, {_quoted(backend, written)}]")


def _extended(code: Code, last: ast.expr, backend: str) -> Edit:
    """An item after the last one: on a line of its own where that is, and then below the comment beside it."""
    text, (start, end) = code.document.text, code.extent(last)
    rest = _REST_OF_LINE.match(text, end)
    margin = text[code.document.starts[last.lineno - 1] : start]
    item = _quoted(backend, text[start:end])
    if rest is None or margin.strip():
        return code.document.edit(end, end, f", {item}")
    if rest["breaks"] is None:
        return code.document.edit(end, end, f",\n{margin}{item}")
    if rest["comma"]:
        return code.document.edit(rest.end(), rest.end(), f"\n{margin}{item},")
    return code.document.edit(end, rest.end(), f",{rest[0]}\n{margin}{item}")


def _quoted(backend: str, beside: str) -> str:
    quote = beside[0] if beside[0] in "'\"" else '"'
    return f"{quote}{backend}{quote}"

"""Which names a syntax tree binds."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from .nodes import ANY_FUNCTION, walk


def stored(roots: Iterable[ast.AST]) -> frozenset[str]:
    """The names that some trees bind, whatever binds them there."""
    found: set[str] = set()
    for node in walk(roots):
        bound_by = _BINDERS.get(type(node))
        if bound_by is not None:
            found.update(bound_by(node))
    return frozenset(found)


def _name(node: ast.Name) -> Iterable[str]:
    return () if isinstance(node.ctx, ast.Load) else (node.id,)


def _alias(node: ast.alias) -> Iterable[str]:
    return (node.asname or node.name.partition(".")[0],)


def _definition(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterable[str]:
    return (node.name,)


def _perhaps(node: ast.ExceptHandler | ast.MatchAs | ast.MatchStar) -> Iterable[str]:
    return (node.name,) if node.name else ()


def _rest(node: ast.MatchMapping) -> Iterable[str]:
    return (node.rest,) if node.rest else ()


_BINDERS: Final[Mapping[type[ast.AST], Callable[[Any], Iterable[str]]]] = {
    ast.Name: _name,
    ast.alias: _alias,
    ast.arg: lambda node: (node.arg,),
    **dict.fromkeys((*ANY_FUNCTION, ast.ClassDef), _definition),
    **dict.fromkeys((ast.ExceptHandler, ast.MatchAs, ast.MatchStar), _perhaps),
    ast.MatchMapping: _rest,
    **dict.fromkeys((ast.Global, ast.Nonlocal), lambda node: node.names),
}
"""What each kind of node binds."""

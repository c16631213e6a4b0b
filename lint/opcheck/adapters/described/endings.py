"""What a function comes to in the end, told from its syntax: that it raises, or that it calls another."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from ...summary.nodes import children
from ...symbolic.values import FunctionValue
from ..bodies import statements_of

_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LEAVES: Final = (ast.Return, ast.Yield, ast.YieldFrom)


def body_of(node: ast.AST) -> Sequence[ast.stmt]:
    """The statements of a function: a lambda has none."""
    return node.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else ()


def final_raise(node: ast.AST) -> ast.Raise | None:
    """The statement that a function always ends with, where it raises and nothing before it returns."""
    body = _reached(body_of(node))
    found = _raise_at_end(body)
    return None if found is None or any(isinstance(n, _LEAVES) for n in _own_nodes(body)) else found


def only_call(function: FunctionValue) -> ast.Call | None:
    """The call that a function comes to in the end, with nothing before it but what it is given."""
    match _reached(statements_of(function)):
        case [*before, ast.Return(value=ast.Call() as call) | ast.Expr(value=ast.Call() as call)]:
            return call if all(isinstance(s, (ast.Assign, ast.AnnAssign)) for s in before) else None
        case _:
            return None


def _reached(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """The statements of a body up to the first that leaves it for certain."""
    last = next((i for i, statement in enumerate(body) if isinstance(statement, (ast.Raise, ast.Return))), len(body))
    return body[: last + 1]


def _raise_at_end(body: Sequence[ast.stmt]) -> ast.Raise | None:
    match body[-1] if body else None:
        case ast.Raise(exc=ast.expr()) as statement:
            return statement
        case ast.If(body=then, orelse=otherwise):
            found = _raise_at_end(then)
            return found if _raise_at_end(otherwise) is not None else None
        case ast.With(body=inner):
            return _raise_at_end(inner)
        case _:
            return None


def _own_nodes(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a body, but for those of functions and classes in it."""
    stack = list(body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _SCOPES):
            stack += children(node)

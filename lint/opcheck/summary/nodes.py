"""Walking syntax trees, several times faster than `ast.walk`: most of a reading is spent on it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

_BODIES: Final = ("body", "orelse", "handlers", "finalbody", "cases")
_LEAVES: Final = frozenset({int, str, type(None), ast.Load, ast.Store, ast.Del})


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below a node, but for what only says how a name is used."""
    found: list[ast.AST] = []
    for value in vars(node).values():
        if type(value) in _LEAVES:
            continue
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, ast.AST)]  # pyright: ignore[reportUnknownVariableType]
    return found


def walk(roots: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Every node of some trees, each before those below it."""
    stack = list(roots)
    while stack:
        node = stack.pop()
        yield node
        stack += children(node)


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Every statement of a module, those of functions and classes included; no expression is looked into."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        yield node
        for name in _BODIES:
            below: object = getattr(node, name, None)
            if isinstance(below, list):
                stack += below

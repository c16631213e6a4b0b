"""What names stand for at module level, and which names a body makes its own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any, Final

from ..summary.nodes import walk
from ..symbolic.classes import class_attribute
from ..symbolic.scope import Scope, same_value
from ..symbolic.values import Choice, ClassValue, External, ModuleValue, Value


def resolve(scope: Scope, node: ast.expr, local: Set[str]) -> Value:
    """What a dotted name stands for at module level; None for anything else, and for names of the function's own."""
    if isinstance(node, ast.Name):
        holder = None if node.id in local else scope.find(node.id)
        return holder.names[node.id] if holder is not None else None
    return member(resolve(scope, node.value, local), node.attr) if isinstance(node, ast.Attribute) else None


def member(base: Value, name: str) -> Value:
    """What an attribute of a module or a class stands for; of one of several, whichever has it."""
    if not isinstance(base, Choice):
        return _member(base, name)
    members = ((condition, _member(value, name)) for condition, value in base.alternatives)
    found = tuple((condition, value) for condition, value in members if value is not None)
    if not found:
        return None
    first = found[0][1]
    return first if all(same_value(value, first) for _, value in found) else Choice(found)


def meanings(value: Value) -> list[Value]:
    """The values that one may be."""
    return [v for _, v in value.alternatives] if isinstance(value, Choice) else [value]


def _member(value: Value, name: str) -> Value:
    match value:
        case External(path=path):
            return External(f"{path}.{name}")
        case ModuleValue(module=module):
            return module.scope.names.get(name)
        case ClassValue():
            return class_attribute(value, name)
        case _:
            return None


def stored(roots: Iterable[ast.AST]) -> set[str]:
    """The names that some trees bind, whatever binds them there."""
    found: set[str] = set()
    for node in walk(roots):
        bound_by = _BINDERS.get(type(node))
        if bound_by is not None:
            found.update(bound_by(node))
    return found


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
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef), _definition),
    **dict.fromkeys((ast.ExceptHandler, ast.MatchAs, ast.MatchStar), _perhaps),
    ast.MatchMapping: _rest,
    **dict.fromkeys((ast.Global, ast.Nonlocal), lambda node: node.names),
}
"""What each kind of node binds."""

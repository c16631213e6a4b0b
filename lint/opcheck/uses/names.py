"""What names stand for at module level, and which names a body makes its own."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Set

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
    return {name for node in walk(roots) for name in _bound_by(node)}


def _bound_by(node: ast.AST) -> Iterable[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return (name,)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.arg(arg=name):
            return (name,)
        case ast.alias(name=path, asname=given):
            return (given or path.partition(".")[0],)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return (name,)
        case ast.MatchMapping(rest=str(name)):
            return (name,)
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return names
        case _:
            return ()

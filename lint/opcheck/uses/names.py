"""What names stand for at module level, and which names a body makes its own."""

from __future__ import annotations

import ast
from collections.abc import Set

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

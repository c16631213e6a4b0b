"""Assignment to names, attributes, items and patterns of them."""

from __future__ import annotations

import ast

from opcheck_rules.model.condition import Condition

from ..summary.nodes import walk
from .containers import iterate
from .describe import bounded, describe
from .dicts import store
from .frame import Frame
from .scope import Scope, alternatives
from .values import (
    ClassValue,
    DictValue,
    FunctionValue,
    Handle,
    Instance,
    Items,
    ListValue,
    ModuleValue,
    Unknown,
    Value,
)


def assign(frame: Frame, target: ast.expr, value: Value) -> None:
    """Bind `target` to `value` under the present condition."""
    match target:
        case ast.Name(id=name):
            assign_name(frame, name, value)
        case ast.Attribute(value=base, attr=name):
            for condition, owner in alternatives(frame.evaluate(base), frame.path):
                set_attribute(owner, name, value, condition)
        case ast.Subscript(value=base, slice=index):
            _assign_item(frame, frame.evaluate(base), frame.evaluate(index), value, target)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            _unpack(frame, targets, value)
        case _:
            # Nothing else can be assigned to, though a file may say so.
            pass


def assign_name(frame: Frame, name: str, value: Value) -> None:
    """`name = value`, where `global` and `nonlocal` say it belongs."""
    scope_of(frame, name).bind(name, value, frame.path)


def scope_of(frame: Frame, name: str) -> Scope:
    """The scope that a name is bound in here."""
    scope = frame.scope
    if name not in scope.outer_names:
        return scope
    return (scope.parent.find(name) if scope.parent else None) or frame.module.scope


def set_attribute(owner: Value, name: str, value: Value, path: Condition) -> None:
    """`owner.name = value` under a condition; what belongs to code that is not read is left alone."""
    match owner:
        case ModuleValue(module=module):
            module.scope.bind(name, value, path)
        case Instance(scope=scope) | ClassValue(scope=scope):
            scope.bind(name, value, path)
            if isinstance(owner, ClassValue):
                owner.added.add(name)
        case FunctionValue():
            owner.attributes[name] = value
        case _:
            pass


def _assign_item(frame: Frame, base: Value, index: Value, value: Value, node: ast.expr) -> None:
    match base:
        case DictValue():
            store(frame, base, index, value, node)
        case ListValue(items=items) if isinstance(index, int) and -len(items) <= index < len(items):
            condition, _ = items[index]
            items[index] = (condition, value)
        case ListValue():
            base.is_open = True
        case Handle():
            base.set_item(frame, index, value)
        case _:
            pass


def _unpack(frame: Frame, targets: list[ast.expr], value: Value) -> None:
    items = iterate(frame, value)
    certain = items is not None and all(frame.path.implies(c) for c, _ in items)
    parts = _parts(targets, items) if items is not None and certain else None
    if parts is None:
        text = bounded(frame, describe(value), targets[0]) if targets else ""
        parts = [Unknown(f"{text}[{i}]") for i in range(len(targets))]
    for target, item in zip(targets, parts, strict=True):
        assign(frame, target.value if isinstance(target, ast.Starred) else target, item)


def _parts(targets: list[ast.expr], items: Items) -> list[Value] | None:
    """The value of each target, a starred one taking what is left over; None where the numbers do not fit."""
    starred = next((i for i, t in enumerate(targets) if isinstance(t, ast.Starred)), None)
    values = [v for _, v in items]
    if starred is None:
        return values if len(values) == len(targets) else None
    after = len(targets) - starred - 1
    if len(values) < starred + after:
        return None
    middle = ListValue(items[starred : len(items) - after])
    return [*values[:starred], middle, *values[len(values) - after :]]


def forget(frame: Frame, node: ast.stmt) -> None:
    """Make every name a statement assigns unknown."""
    for child in walk([node]):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            assign_name(frame, child.id, Unknown(f"{frame.scope.label}.{child.id}"))

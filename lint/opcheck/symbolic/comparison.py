"""Comparison and membership."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from opcheck_rules.model.condition import Condition

from .describe import Place, bounded
from .frame import Frame
from .limits import MOST_COMPARISONS
from .parts import is_small
from .truth import as_value, truth
from .values import (
    SCALARS,
    Choice,
    ClassValue,
    DictValue,
    EnumMember,
    External,
    FunctionValue,
    Handle,
    Instance,
    Items,
    ListValue,
    ModuleValue,
    Unknown,
    Value,
    is_scalar,
    is_tuple,
)
from .versions import RunningVersion, WrittenVersion, joined

_ORDER: Final[dict[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
# Each comparison as one an atom has, and whether it is that one's negation.
ATOMIC: Final[dict[type[ast.cmpop], tuple[str, bool]]] = {
    ast.Eq: ("==", False),
    ast.NotEq: ("==", True),
    ast.Lt: ("<", False),
    ast.GtE: ("<", True),
    ast.LtE: ("<=", False),
    ast.Gt: ("<=", True),
    ast.In: ("in", False),
    ast.NotIn: ("in", True),
    ast.Is: ("is", False),
    ast.IsNot: ("is", True),
}
_SWAPPED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
    ast.Is: ast.Is,
    ast.IsNot: ast.IsNot,
}


def compare(frame: Frame, op: ast.cmpop, left: Value, right: Value, node: Place) -> Value:
    """The value of one comparison of unguarded operands: a boolean, or guarded booleans where it is not decided."""
    return as_value(_holds(frame, op, left, right, node))


def _holds(frame: Frame, op: ast.cmpop, left: Value, right: Value, node: Place) -> Condition:
    if isinstance(op, ast.In):
        return contains(frame, right, left, node)
    if isinstance(op, ast.NotIn):
        return ~contains(frame, right, left, node)
    if isinstance(op, (ast.Is, ast.IsNot)) and _distinct(frame, left, right):
        return frame.machine.space.constant(isinstance(op, ast.IsNot))
    if isinstance(op, (ast.Is, ast.IsNot)) and left is right and not isinstance(left, Unknown):
        return frame.machine.space.constant(isinstance(op, ast.Is))
    if _is_decided(left) and _is_decided(right):
        try:
            return frame.machine.space.constant(_apply(op, _plain(left), _plain(right)))
        except TypeError:
            pass
    return _undecided(frame, op, left, right, node)


def _undecided(frame: Frame, op: ast.cmpop, left: Value, right: Value, node: Place) -> Condition:
    if type(op) in _SWAPPED and _is_decided(left) and not _is_decided(right):
        op, left, right = _SWAPPED[type(op)](), right, left
    left, right = joined(left), joined(right)
    if isinstance(left, WrittenVersion) and isinstance(right, RunningVersion) and type(op) in _SWAPPED:
        op, left, right = _SWAPPED[type(op)](), right, left
    symbol, negated = ATOMIC[type(op)]
    asked = left.compare(frame, symbol, right) if isinstance(left, Handle) else None
    condition = asked or _atom(frame, symbol, left, right, node)
    return ~condition if negated else condition


def _atom(frame: Frame, symbol: str, left: Value, right: Value, node: Place) -> Condition:
    if isinstance(right, WrittenVersion):
        right = right.text
    if is_scalar(right) or (is_tuple(right) and all(map(is_scalar, right))):
        return frame.machine.space.atom(bounded(frame, frame.machine.describe(left), node), symbol, right)
    text = f"{frame.machine.describe(left)} {symbol} {frame.machine.describe(right)}"
    return frame.machine.space.atom(bounded(frame, text, node))


def _is_decided(value: Value) -> bool:
    """Whether a value is known well enough to be compared."""
    return is_small(value) and _is_known(value)


def _is_known(value: Value) -> bool:
    if is_tuple(value):
        return all(map(_is_known, value))
    if isinstance(value, ListValue):
        return not value.is_open and all(c.holds and _is_known(v) for c, v in value.items)
    return isinstance(value, (*SCALARS, EnumMember, ClassValue, FunctionValue, ModuleValue, Instance))


def _distinct(frame: Frame, left: Value, right: Value) -> bool:
    """Whether one side is None and the other something that certainly is not."""
    one, other = (left, right) if right is None else (right, left)
    if other is not None:
        return False
    if isinstance(one, External):
        # What an import statement brought is a module, a function or a class far more often than a None.
        return not {one.path, one.path.rpartition(".")[0]}.isdisjoint(frame.machine.external_modules)
    return one is not None and not isinstance(one, (Unknown, Choice))


def _apply(op: ast.cmpop, one: object, other: object) -> bool:
    if isinstance(op, (ast.Is, ast.IsNot)):
        same = one is other or (isinstance(one, (str, int)) and type(one) is type(other) and one == other)
        return same is isinstance(op, ast.Is)
    return bool(_ORDER[type(op)](one, other))


def _plain(value: Value) -> object:
    """A decided value as the Python object it stands for; objects of the project stand for themselves."""
    if is_tuple(value):
        return tuple(map(_plain, value))
    if isinstance(value, ListValue):
        items = [_plain(v) for _, v in value.items]
        return frozenset(items) if value.kind == "set" else tuple(items) if value.kind == "tuple" else items
    return value.value if isinstance(value, EnumMember) and value.is_mixed else value


def contains(frame: Frame, container: Value, item: Value, node: Place) -> Condition:
    """The condition under which `item` is in `container`."""
    space = frame.machine.space
    match container:
        case str() if isinstance(item, str):
            return space.constant(item in container)
        case ListValue(items=items, is_open=False):
            return _among(frame, items, item, node)
        case DictValue(items=entries, is_open=False) if _is_decided(item):
            return frame.machine.has_key(entries, item)
        case Handle():
            return truth(frame, container.contains(frame, item))
        case _ if is_tuple(container):
            return _among(frame, [(space.true, v) for v in container], item, node)
        case _:
            return _undecided(frame, ast.In(), item, container, node)


def _among(frame: Frame, items: Items, item: Value, node: Place) -> Condition:
    space = frame.machine.space
    undecided = sum(not _is_decided(v) for _, v in items) if _is_decided(item) else len(items)
    if undecided > MOST_COMPARISONS:
        listed = frame.machine.describe(tuple(v for _, v in items))
        return space.atom(bounded(frame, f"{frame.machine.describe(item)} in {listed}", node))
    return space.any(c & truth(frame, compare(frame, ast.Eq(), item, v, node)) for c, v in items)

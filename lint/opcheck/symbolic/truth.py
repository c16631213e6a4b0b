"""From values to conditions: truth, comparison, and tests that keep the guard they were."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Hashable
from typing import Any, Final

from opcheck_rules.model.condition import Condition

from .frame import Frame
from .limits import MOST_COMPARISONS
from .scope import alternatives
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
    ListValue,
    ModuleValue,
    Unknown,
    Value,
)

_ORDER: Final[dict[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
# Each comparison as one an atom has, and whether it is that one's negation.
_ATOMIC: Final[dict[type[ast.cmpop], tuple[str, bool]]] = {
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


def truth(frame: Frame, value: Value) -> Condition:
    """The condition under which `value` is true."""
    space = frame.machine.space
    match value:
        case Choice():
            return space.any(c & truth(frame, v) for c, v in value.alternatives)
        case Unknown(text=text):
            return space.atom(text)
        case External(path=path):
            return space.true if path in frame.machine.external_modules else space.atom(path)
        case ListValue(items=items, is_open=is_open):
            certain = space.any(c for c, _ in items)
            return certain if not is_open else certain | space.atom(f"{frame.module.name}: more items")
        case DictValue(items=entries, is_open=is_open):
            return space.true if entries or not is_open else space.atom(f"{frame.module.name}: more items")
        case _ if isinstance(value, (*SCALARS, tuple)):
            return space.constant(bool(value))
        case _:
            return space.true


def test(frame: Frame, node: ast.expr) -> Condition:
    """The condition a guard stands for.

    At module level a guard that the project's own constants decide stays an atom that remembers their answer: what
    stands behind it is evaluated all the same, and an `assume` line may decide otherwise.
    """
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ~test(frame, operand)
        case ast.BoolOp(op=op, values=values):
            return _test_all(frame, values, isinstance(op, ast.And))
        case _:
            condition = truth(frame, frame.evaluate(node))
            settled = frame.at_import and (condition.holds or condition.fails)
            return _settled(frame, node, condition.holds) if settled else condition


def _test_all(frame: Frame, values: list[ast.expr], is_and: bool) -> Condition:
    """Each operand is evaluated only where the ones before leave the answer open."""
    space, before = frame.machine.space, frame.path
    result = space.constant(is_and)
    for value in values:
        condition = test(frame, value)
        result = result & condition if is_and else result | condition
        frame.path = before & (result if is_and else ~result)
    frame.path = before
    return result


def _settled(frame: Frame, node: ast.expr, value: bool) -> Condition:
    space = frame.machine.space
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _ATOMIC:
        operand = frame.evaluate(node.comparators[0])
        if isinstance(operand, SCALARS):
            symbol, negated = _ATOMIC[type(node.ops[0])]
            atom = space.atom(frame.name_of(node.left), symbol, operand, value is not negated)
            return ~atom if negated else atom
    return space.atom(frame.name_of(node), settled=value)


def compare(frame: Frame, op: ast.cmpop, left: Value, right: Value) -> Value:
    """The value of one comparison: a boolean, or guarded booleans where it cannot be decided."""
    known = _known(frame, op, left, right)
    return known if isinstance(known, bool) else as_value(known)


def as_value(condition: Condition) -> Value:
    """A condition as a value that can be stored and tested again."""
    if condition.holds or condition.fails:
        return condition.holds
    return Choice(((~condition, False), (condition, True)))


def _known(frame: Frame, op: ast.cmpop, left: Value, right: Value) -> bool | Condition:
    if isinstance(op, (ast.In, ast.NotIn)):
        inside = contains(frame, right, left)
        return _negated(inside) if isinstance(op, ast.NotIn) else inside
    if isinstance(op, (ast.Is, ast.IsNot)) and _distinct(frame, left, right):
        return isinstance(op, ast.IsNot)
    if _decided(left) and _decided(right):
        return _apply(frame, op, left, right)
    return _undecided(frame, op, left, right)


def _negated(value: bool | Condition) -> bool | Condition:
    return not value if isinstance(value, bool) else ~value


def _undecided(frame: Frame, op: ast.cmpop, left: Value, right: Value) -> Condition:
    if _decided(left) and type(op) in _SWAPPED:
        op, left, right = _SWAPPED[type(op)](), right, left
    symbol, negated = _ATOMIC[type(op)]
    subject = frame.machine.describe(left)
    operand: Hashable = right if isinstance(right, SCALARS) else frame.machine.hashable(right)
    if operand is None and right is not None:
        subject, symbol = f"{subject} {symbol} {frame.machine.describe(right)}", ""
    atom = frame.machine.space.atom(subject, symbol, operand)
    return ~atom if negated else atom


def _decided(value: Value) -> bool:
    """Whether a value is known well enough to be compared."""
    if isinstance(value, tuple):
        return all(map(_decided, value))
    if isinstance(value, ListValue):
        return not value.is_open and all(c.holds and _decided(v) for c, v in value.items)
    return isinstance(value, (*SCALARS, EnumMember, ClassValue, FunctionValue, ModuleValue, Instance))


def _distinct(frame: Frame, left: Value, right: Value) -> bool:
    """Whether one side is None and the other something that certainly is not."""
    known = (ListValue, DictValue, FunctionValue, ClassValue, Instance, ModuleValue, Handle, tuple, EnumMember)
    one, other = (left, right) if right is None else (right, left)
    if isinstance(one, External):
        # What an import statement brought is a module, a function or a class far more often than a None.
        return other is None and not {one.path, one.path.rpartition(".")[0]}.isdisjoint(frame.machine.external_modules)
    return other is None and (isinstance(one, known) or (isinstance(one, SCALARS) and one is not None))


def _apply(frame: Frame, op: ast.cmpop, left: Value, right: Value) -> bool | Condition:
    try:
        one, other = plain(left), plain(right)
        if isinstance(op, (ast.Is, ast.IsNot)):
            same = one is other or (isinstance(one, (str, int)) and type(one) is type(other) and one == other)
            return same is isinstance(op, ast.Is)
        return bool(_ORDER[type(op)](one, other))
    except TypeError:
        return _undecided(frame, op, left, right)


def plain(value: Value) -> object:
    """A decided value as the Python object it stands for; objects of the project stand for themselves."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, ListValue):
        items = [plain(v) for _, v in value.items]
        return items if value.kind == "list" else frozenset(items)
    return value


def contains(frame: Frame, container: Value, item: Value) -> bool | Condition:
    """The condition under which `item` is in `container`."""
    space = frame.machine.space
    match container:
        case Choice():
            return space.any(
                c & _condition(frame, contains(frame, v, item)) for c, v in alternatives(container, frame.path)
            )
        case str() if isinstance(item, str):
            return item in container
        case tuple():
            return _among(frame, [(space.true, v) for v in container], item)
        case ListValue(items=items, is_open=False):
            return _among(frame, items, item)
        case DictValue(items=entries, is_open=False) if _decided(item):
            return frame.machine.has_key(entries, item)
        case Handle():
            return truth(frame, container.contains(frame, item))
        case _:
            return _undecided(frame, ast.In(), item, container)


def _among(frame: Frame, items: list[tuple[Condition, Value]], item: Value) -> Condition:
    space = frame.machine.space
    undecided = sum(not _decided(v) for _, v in items) if _decided(item) else len(items)
    if undecided > MOST_COMPARISONS:
        listed = frame.machine.describe(tuple(v for _, v in items))
        return space.atom(f"{frame.machine.describe(item)} in {listed} ({len(items)} items)")
    return space.any(c & truth(frame, compare(frame, ast.Eq(), item, v)) for c, v in items)


def _condition(frame: Frame, value: bool | Condition) -> Condition:
    return frame.machine.space.constant(value) if isinstance(value, bool) else value

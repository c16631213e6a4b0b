"""Arithmetic, comparison and logic."""

from __future__ import annotations

import ast
from functools import partial

from opcheck_rules.model.condition import Conditions

from .comparison import compare
from .computed import compute, invert, is_modest, operate
from .describe import bounded, describe_node, describe_operand
from .frame import Frame
from .lift import lift
from .limits import PATH_ATOMS
from .truth import as_value, truth
from .values import DictValue, Items, ListValue, Unknown, Value, bounded_list, is_scalar, is_tuple


def evaluate_binary(frame: Frame, node: ast.BinOp) -> Value:
    """`a + b` and the like."""
    operands = [frame.evaluate(node.left), frame.evaluate(node.right)]
    return lift(frame, operands, lambda values: binary(frame, node.op, values[0], values[1], node))


def binary(frame: Frame, op: ast.operator, left: Value, right: Value, node: ast.expr | ast.stmt) -> Value:
    """The value of a binary operation on two unguarded operands."""

    def undecided() -> Value:
        symbol = ast.unparse(ast.BinOp(ast.Name("a"), op, ast.Name("b")))[2:-2]
        return Unknown(bounded(frame, f"{describe_operand(left)} {symbol} {describe_operand(right)}", node))

    if isinstance(left, ListValue) and isinstance(right, ListValue):
        return _merge(frame.machine.space, op, left, right) or undecided()
    if isinstance(left, DictValue) and isinstance(right, DictValue) and isinstance(op, ast.BitOr):
        return DictValue(left.items | right.items, left.is_open or right.is_open)
    if not _is_plain(left) or not _is_plain(right) or not is_modest(op, left, right):
        return undecided()
    if isinstance(op, ast.Mod) and is_tuple(right) and not all(map(is_scalar, right)):
        return undecided()
    return compute(lambda: operate(op, left, right), undecided)


def _is_plain(value: Value) -> bool:
    return is_scalar(value) or is_tuple(value)


def _merge(space: Conditions, op: ast.operator, left: ListValue, right: ListValue) -> Value:
    """Concatenation of sequences, union, difference and intersection of sets; None for what is none of them."""
    if left.kind == "set" and isinstance(op, (ast.Sub, ast.BitAnd)):
        return _sift(space, left, right, keeps=isinstance(op, ast.BitAnd))
    joins = isinstance(op, ast.BitOr) if left.kind == "set" else isinstance(op, ast.Add)
    if not joins:
        return None
    return bounded_list(left.items + right.items, left.kind, left.is_open or right.is_open)


def _sift(space: Conditions, left: ListValue, right: ListValue, *, keeps: bool) -> Value:
    """The items of a set that another has, or has not; None where not all of both are known."""
    if left.is_open or right.is_open or not all(is_scalar(item) for _, item in (*left.items, *right.items)):
        return None
    items: Items = []
    for condition, item in left.items:
        there = space.any(c for c, other in right.items if other == item)
        items.append((condition & (there if keeps else ~there), item))
    return ListValue([(condition, item) for condition, item in items if not condition.fails], left.kind)


def evaluate_unary(frame: Frame, node: ast.UnaryOp) -> Value:
    """`-a`, `not a` and the like."""
    value = frame.evaluate(node.operand)
    if isinstance(node.op, ast.Not):
        return as_value(~truth(frame, value))
    return lift(frame, [value], lambda values: _unary(frame, node, values[0]))


def _unary(frame: Frame, node: ast.UnaryOp, value: Value) -> Value:
    def undecided() -> Value:
        symbol = ast.unparse(ast.UnaryOp(node.op, ast.Name("a")))[:-1]
        return Unknown(bounded(frame, f"{symbol}{describe_operand(value)}", node))

    return compute(lambda: invert(node.op, value), undecided) if is_scalar(value) else undecided()


def evaluate_boolean(frame: Frame, node: ast.BoolOp) -> Value:
    """`and` and `or` give the operand that decided, each evaluated only where the ones before left it open."""
    before, is_and = frame.path, isinstance(node.op, ast.And)
    decided: Items = []
    for operand in node.values:
        value = frame.evaluate(operand)
        goes_on = truth(frame, value) if is_and else ~truth(frame, value)
        decided.append((frame.path if operand is node.values[-1] else frame.path & ~goes_on, value))
        frame.path = frame.path & goes_on
        if frame.path.fails or frame.path.size > before.size + PATH_ATOMS:
            break
    is_clear, frame.path = frame.path.size <= before.size + PATH_ATOMS, frame.unhandled(before)
    return frame.machine.join(frame, decided, node) if is_clear else Unknown(describe_node(frame, node))


def evaluate_compare(frame: Frame, node: ast.Compare) -> Value:
    """`a < b < c`: every pair in turn."""
    values = [frame.evaluate(operand) for operand in (node.left, *node.comparators)]
    result = frame.machine.space.true
    for op, left, right in zip(node.ops, values, values[1:], strict=False):
        result = result & truth(frame, lift(frame, [left, right], partial(_compare_pair, frame, op, node)))
    return as_value(result)


def _compare_pair(frame: Frame, op: ast.cmpop, node: ast.expr, pair: list[Value]) -> Value:
    return compare(frame, op, pair[0], pair[1], node)

"""Guards: what a test stands for, kept even where the project's own constants decide it."""

from __future__ import annotations

import ast
from typing import Final

from opcheck_rules.model.condition import Condition

from .comparison import ATOMIC
from .frame import Frame
from .limits import PATH_ATOMS
from .truth import truth
from .values import is_scalar

_WITHOUT_EFFECT: Final = (ast.Constant, ast.Name, ast.Attribute)


def test(frame: Frame, node: ast.expr) -> Condition:
    """The condition a guard stands for.

    At module level a guard that the project's own constants decide stays an atom that remembers their answer: what
    stands behind it is evaluated all the same, and an `assume` line may decide otherwise.
    """
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ~test(frame, operand)
        case ast.BoolOp(op=op, values=values):
            return _test_all(frame, node, values, isinstance(op, ast.And))
        case _:
            condition = truth(frame, frame.evaluate(node))
            settled = frame.at_import and (condition.holds or condition.fails)
            return _settled(frame, node, condition.holds) if settled else condition


def _test_all(frame: Frame, node: ast.expr, values: list[ast.expr], is_and: bool) -> Condition:
    """Each operand is evaluated only where the ones before leave the answer open."""
    space, before = frame.machine.space, frame.path
    result = space.constant(is_and)
    for value in values:
        condition = test(frame, value)
        result = result & condition if is_and else result | condition
        frame.path = before & (result if is_and else ~result)
        if result.size > PATH_ATOMS:
            result = space.atom(frame.name_of(node))
            break
    frame.path = frame.unhandled(before)
    return result


def _settled(frame: Frame, node: ast.expr, value: bool) -> Condition:
    space = frame.machine.space
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in ATOMIC:
        comparator, (symbol, negated) = node.comparators[0], ATOMIC[type(node.ops[0])]
        operand = frame.evaluate(comparator) if isinstance(comparator, _WITHOUT_EFFECT) else ...
        if is_scalar(operand) and operand is not ...:
            atom = space.atom(frame.name_of(node.left), symbol, operand, value is not negated)
            return ~atom if negated else atom
    return space.atom(frame.name_of(node), settled=value)

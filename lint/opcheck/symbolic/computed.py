"""Python's own operations on known values: worked out where they raise nothing and stay small."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from .limits import MOST_BITS, MOST_ROUNDS, MOST_TEXT
from .values import Value, is_scalar, is_tuple

_BINARY: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitOr: "or_",
    ast.BitAnd: "and_",
    ast.BitXor: "xor",
    ast.MatMult: "matmul",
}
_UNARY: Final[Mapping[type[ast.unaryop], str]] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
_FAILURES: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


# A width of four digits or more, or one given as an argument, can make a text of any size.
_WIDE: Final = re.compile(r"\d{4}|\*|\{[^}]*\{")


def compute(act: Callable[[], Any], undecided: Callable[[], Value]) -> Value:
    """What `act` gives; undecided where it raises, or gives what is too large or no value."""
    try:
        result: object = act()
    except _FAILURES:
        return undecided()
    return result if (is_tuple(result) or is_scalar(result)) and _fits(result) else undecided()


def _fits(result: Value) -> bool:
    match result:
        case int():
            return result.bit_length() <= MOST_BITS
        case str() | bytes():
            return len(result) <= MOST_TEXT
        case tuple():
            return len(result) <= MOST_ROUNDS
        case _:
            return True


def operate(op: ast.operator, left: Value, right: Value) -> Any:
    """What a binary operator gives for two plain operands."""
    return getattr(operator, _BINARY[type(op)])(left, right)


def invert(op: ast.unaryop, operand: Value) -> Any:
    """What a unary operator gives for a plain operand; of a bool it makes the integer that counts as it."""
    return getattr(operator, _UNARY[type(op)])(int(operand) if isinstance(operand, bool) else operand)


def is_modest(op: ast.operator, left: Value, right: Value) -> bool:
    """Whether a binary operation can be tried without making something huge first."""
    match op:
        case ast.Mult():
            return max(_length(left) * _times(right), _length(right) * _times(left)) <= MOST_TEXT
        case ast.Pow() | ast.LShift() if isinstance(left, int) and isinstance(right, int):
            return right * (left.bit_length() if isinstance(op, ast.Pow) else 1) <= MOST_BITS
        case ast.Mod() if isinstance(left, (str, bytes)):
            return is_narrow(left if isinstance(left, str) else left.decode("latin-1"))
        case _:
            return True


def is_narrow(template: str) -> bool:
    """Whether a format asks for no great width."""
    return _WIDE.search(template) is None


def _length(value: Value) -> int:
    return len(value) if isinstance(value, (str, bytes)) or is_tuple(value) else 0


def _times(value: Value) -> int:
    return value if isinstance(value, int) else 1

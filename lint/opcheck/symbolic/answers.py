"""What a known value makes of a predicate about it."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import takewhile
from typing import Final, TypeAlias, cast

from packaging.version import InvalidVersion, Version

from opcheck_rules.model.atom import Atom
from opcheck_rules.model.target import Scalar

Ordered: TypeAlias = "tuple[float, float] | tuple[Version, Version] | tuple[tuple[int, ...], tuple[int, ...]]"
_FEWEST_PARTS: Final = 3


def answer(atom: Atom, value: Scalar | None) -> bool | None:
    """The answer of an atom whose subject has this value; None where the two cannot be compared."""
    match atom.operator:
        case "":
            return bool(value)
        case "is":
            return value == atom.operand and type(value) is type(atom.operand)
        case "in":
            return _inside(value, atom.operand)
        case "==":
            return _equal(value, atom.operand)
        case _:
            return _before(value, atom.operand, or_equal=atom.operator == "<=")


def _inside(value: Scalar | None, operand: Hashable) -> bool | None:
    if isinstance(operand, str):
        return value in operand if isinstance(value, str) else None
    return value in operand if isinstance(operand, (tuple, frozenset)) else None


def _equal(value: Scalar | None, operand: Hashable) -> bool:
    pair = _ordered(value, operand)
    return value == operand or (pair is not None and pair[0] == pair[1])


def _before(value: Scalar | None, operand: Hashable, *, or_equal: bool) -> bool | None:
    match _ordered(value, operand):
        case (float() | int() as one, float() | int() as other):
            return one <= other if or_equal else one < other
        case (Version() as one, Version() as other):
            return one <= other if or_equal else one < other
        case (tuple() as one, tuple() as other):
            return one <= other if or_equal else one < other
        case _:
            return None


def _ordered(value: Scalar | None, operand: Hashable) -> Ordered | None:
    """The two as things that have an order: numbers, versions, or a version's numbers against a tuple of some."""
    if isinstance(value, (int, float)) and isinstance(operand, (int, float)):
        return value, operand
    known = version(value)
    if known is None:
        return None
    if isinstance(operand, tuple):
        return release(known), numbers(cast("object", operand))
    other = version(operand)
    return None if other is None else (known, other)


def version(text: object) -> Version | None:
    """A version as it is written, where it is one."""
    try:
        return Version(text) if isinstance(text, str) else None
    except InvalidVersion:
        return None


def release(known: Version) -> tuple[int, ...]:
    """The numbers of a version, none of the usual three left out."""
    return known.release + (0,) * (_FEWEST_PARTS - len(known.release))


def numbers(operand: object) -> tuple[int, ...]:
    """The numbers a tuple begins with: what follows them (`"final"`) orders nothing that a target says."""
    parts = cast("tuple[object, ...]", operand) if isinstance(operand, tuple) else ()
    return tuple(part for part in takewhile(lambda p: isinstance(p, int), parts) if isinstance(part, int))

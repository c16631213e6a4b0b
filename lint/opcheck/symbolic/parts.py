"""What values hold, looked through part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from .values import MOST_PARTS, Choice, DictValue, ListValue, Value

_PARTS: Final[Mapping[type, Callable[[Any], Iterable[Value]]]] = {
    tuple: lambda value: value,
    ListValue: lambda value: [item for _, item in value.items],
    DictValue: lambda value: value.items.values(),
    Choice: lambda value: [each for _, each in value.alternatives],
}


def parts(value: Value) -> Iterable[Value]:
    """What is directly within a value that is a collection, or one of several."""
    parts_of = _PARTS.get(type(value))
    return parts_of(value) if parts_of is not None else ()


def is_small(value: Value, most: int = MOST_PARTS) -> bool:
    """Whether a value can be looked through part by part: not one that contains itself, or doubles as it nests."""
    stack, left = [value], most
    while stack and left > 0:
        left -= 1
        stack += parts(stack.pop())
    return not stack

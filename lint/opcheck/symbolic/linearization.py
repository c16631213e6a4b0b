"""The order in which a class and its bases are looked through, as Python has it: C3 linearization."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def linearize(cls: T, bases: Sequence[T], order_of: Callable[[T], Sequence[T]]) -> list[T]:
    """A class and all its bases, each before its own. Where no order suits every class, depth first."""
    orders = [order_of(base) for base in bases]
    if len(orders) == 1:
        return [cls, *orders[0]]
    merged = _merge([*orders, bases])
    return [cls, *(dict.fromkeys(c for order in orders for c in order) if merged is None else merged)]


def _merge(orders: Iterable[Sequence[T]]) -> list[T] | None:
    """One order that agrees with all of them; None where there is none."""
    left: list[deque[T]] = [deque(order) for order in orders if order]
    merged: list[T] = []
    behind = Counter(item for order in left for item in list(order)[1:])
    while left:
        head = next((order[0] for order in left if not behind[order[0]]), None)
        if head is None:
            return None
        merged.append(head)
        for order in [order for order in left if order[0] == head]:
            order.popleft()
            behind.subtract([order[0]] if order else [])
        left = [order for order in left if order]
    return merged

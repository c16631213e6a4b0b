"""The order in which a class and its bases are looked through, as Python has it: C3 linearization."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def linearize(cls: T, bases_of: Callable[[T], Sequence[T]]) -> list[T]:
    """A class and all its bases, each before its own. Where no order suits every class, depth first."""
    bases = bases_of(cls)
    merged = _merge([*(linearize(base, bases_of) for base in bases), list(bases)])
    return [cls, *merged] if merged is not None else _depth_first(cls, bases_of)


def _merge(orders: list[list[T]]) -> list[T] | None:
    """One order that agrees with all of them; None where there is none."""
    merged: list[T] = []
    while orders := [order for order in orders if order]:
        tails = [other for order in orders for other in order[1:]]
        head = next((order[0] for order in orders if order[0] not in tails), None)
        if head is None:
            return None
        merged.append(head)
        orders = [order[1:] if order[0] == head else order for order in orders]
    return merged


def _depth_first(cls: T, bases_of: Callable[[T], Sequence[T]]) -> list[T]:
    found = [cls, *(inner for base in bases_of(cls) for inner in linearize(base, bases_of))]
    return [c for i, c in enumerate(found) if c not in found[:i]]

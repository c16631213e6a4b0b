"""The classes that an object's methods are looked for in, in order, with bases that were not read among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from msgspec import Struct

from opcheck_rules.model.condition import Condition, Conditions

from ...symbolic.limits import MOST_COMBINATIONS
from ...symbolic.linearization import linearize
from ...symbolic.scope import alternatives
from ...symbolic.values import Choice, ClassValue, External, Value

EMPTY = frozenset({"object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol"})
"""Bases that have no method of interest."""


class Order(Struct, frozen=True):
    """One order in which bases are looked through, where `condition` holds: bases can hang on guards."""

    condition: Condition
    holders: Sequence[Value]


def orders(space: Conditions, cls: ClassValue) -> list[Order]:
    """Every order there can be: one for each combination of what guarded bases come to.

    Where those are too many, guarded bases stand for themselves: what they come to is not known.
    """
    guarded = [base for c in cls.mro() for base in c.bases if isinstance(base, Choice)]
    choices = [alternatives(base, space.true) for base in guarded]
    if prod(map(len, choices)) > MOST_COMBINATIONS:
        return [_order(space.true, cls, {})]
    picks = [(space.all(condition for condition, _ in picked), picked) for picked in product(*choices)]
    there = [(condition, [value for _, value in picked]) for condition, picked in picks if not condition.fails]
    return [_order(condition, cls, dict(zip(map(id, guarded), values, strict=True))) for condition, values in there]


def _order(condition: Condition, cls: ClassValue, chosen: Mapping[int, Value]) -> Order:
    """The order with a value in the place of each guarded base."""
    known: dict[int, list[Value]] = {}

    def order_of(value: Value) -> Sequence[Value]:
        if id(value) not in known:
            bases = [chosen.get(id(b), b) for b in value.bases] if isinstance(value, ClassValue) else []
            known[id(value)] = linearize(value, bases, order_of)
        return known[id(value)]

    return Order(condition, [holder for holder in order_of(cls) if not _is_empty(holder)])


def _is_empty(holder: Value) -> bool:
    return isinstance(holder, External) and holder.path in EMPTY

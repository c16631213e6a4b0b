"""The classes that an object's methods are looked for in, in order, with bases that were not read among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product

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


def orders(space: Conditions, cls: ClassValue) -> Iterator[Order]:
    """Every order there can be: one for each combination of what guarded bases come to."""
    guarded = [(c, base) for c in cls.mro() for base in c.bases if isinstance(base, Choice)]
    choices = [alternatives(base, space.true) for _, base in guarded]
    start: Value = cls
    for picked in islice(product(*choices), MOST_COMBINATIONS):
        condition = space.all(condition for condition, _ in picked)
        if not condition.fails:
            chosen = {id(base): value for (_, base), (_, value) in zip(guarded, picked, strict=True)}
            yield Order(condition, [h for h in linearize(start, _bases(chosen)) if not _is_empty(h)])


def _bases(chosen: Mapping[int, Value]) -> Callable[[Value], Sequence[Value]]:
    def bases_of(cls: Value) -> Sequence[Value]:
        return [chosen.get(id(base), base) for base in cls.bases] if isinstance(cls, ClassValue) else ()

    return bases_of


def _is_empty(holder: Value) -> bool:
    return isinstance(holder, External) and holder.path in EMPTY

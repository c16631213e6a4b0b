"""What was put on record, each with the condition under which importing the project gets there."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Generic, TypeVar, cast

from msgspec import Struct

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from .machine import Machine
from .reach import Reach

R_co = TypeVar("R_co", covariant=True)
S = TypeVar("S")


class Reached(Struct, Generic[R_co], frozen=True):
    """A record and the condition under which an import of the project makes it; `entries` are the modules that lead to
    it.
    """

    record: R_co
    condition: Condition
    span: Span
    order: int
    module: str
    entries: frozenset[str]
    hypothetical: bool

    def of(self, _: type[S]) -> Reached[S]:
        """The same, for a record that has been found to be of a class."""
        return cast("Reached[S]", self)


def collect(machine: Machine, reach: Reach) -> Iterator[Reached[object]]:
    """Join each effect's own condition with that of the module it was made in; what nothing reaches is left out.

    They come in the order in which the import makes them.
    """
    for order, effect in enumerate(sorted(machine.effects, key=attrgetter("turn"))):
        condition = effect.condition & reach.conditions[effect.module]
        if not condition.fails:
            entries = reach.entries[effect.module]
            yield Reached(effect.record, condition, effect.span, order, effect.module, entries, effect.hypothetical)

"""Cells as partitions of worlds: what fills one first, what fills it otherwise, and what is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.project import Outcome


def partition(space: Conditions, steps: Iterable[Outcome], rest: Outcome) -> tuple[Outcome, ...]:
    """The outcomes of one cell: each step where it holds and none before it does, `rest` in what is left over.

    No step is asked for past the one that leaves nothing.
    """
    left, outcomes = space.true, list[Outcome]()
    for step in steps:
        here = left & step.condition
        if not here.fails:
            outcomes.append(replace(step, condition=here))
            left = left & ~step.condition
        if left.fails:
            return tuple(outcomes)
    return (*outcomes, replace(rest, condition=left))


def where(condition: Condition, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """Some outcomes, each where a condition holds as well."""
    if not condition.fails:
        yield from (replace(outcome, condition=outcome.condition & condition) for outcome in outcomes)

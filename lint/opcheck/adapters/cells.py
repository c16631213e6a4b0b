"""Cells as partitions of worlds: what fills one first, what fills it otherwise, and what is left."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.project import Outcome


def partition(space: Conditions, steps: Iterable[Outcome], rest: Outcome) -> tuple[Outcome, ...]:
    """The outcomes of one cell: each step where it holds and none before it does, `rest` in what is left over."""
    left, outcomes = space.true, list[Outcome]()
    for step in steps:
        here = left & step.condition
        left = left & ~step.condition
        if not here.fails:
            outcomes.append(replace(step, condition=here))
    if not left.fails:
        outcomes.append(replace(rest, condition=left))
    return tuple(outcomes)

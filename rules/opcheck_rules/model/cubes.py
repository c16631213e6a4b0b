"""Conditions written out as cases: an irredundant sum of products, after Minato and Morreale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from .atom import Atom

if TYPE_CHECKING:
    from .condition import Condition, Conditions

Cube: TypeAlias = dict[Atom, bool]
"""One case: the atoms that it names, in the order of their levels, and whether each holds."""
MOST_NODES: Final = 4_000
"""Diagram nodes that may be made to write a condition out."""
_MOST_CUBES: Final = 200
"""Cases that it may be written as: few nodes share exponentially many, and nobody reads as many as these."""
_Covers: TypeAlias = "dict[tuple[int, int], tuple[list[Cube], Condition]]"


def cover(space: Conditions, condition: Condition) -> list[Cube]:
    """Conjunctions whose disjunction a condition is, none of which can be left out.

    Raises `OverflowError` where there are too many, or its space allows no more nodes.
    """
    return _cover(space, condition, condition, {})[0]


def case(space: Conditions, condition: Condition) -> Cube:
    """One way for a condition to hold."""
    cube: Cube = {}
    while condition.low is not None and condition.high is not None:
        holds = condition.low.fails
        cube[space.atom_at(condition.level)] = holds
        condition = condition.high if holds else condition.low
    return cube


def _cover(space: Conditions, lower: Condition, upper: Condition, done: _Covers) -> tuple[list[Cube], Condition]:
    """Cubes that hold wherever `lower` does and nowhere that `upper` does not; each pair is worked out once."""
    if lower.fails:
        return [], space.false
    if upper.holds:
        return [{}], space.true
    key = id(lower), id(upper)
    if key not in done:
        done[key] = _split(space, lower, upper, done)
    return done[key]


def _split(space: Conditions, lower: Condition, upper: Condition, done: _Covers) -> tuple[list[Cube], Condition]:
    """The same by the first atom: what holds only where it fails, only where it holds, and what is left of both."""
    level = min(lower.level, upper.level)
    low0, low1 = lower.branch(level, False), lower.branch(level, True)
    up0, up1 = upper.branch(level, False), upper.branch(level, True)
    cubes0, covered0 = _cover(space, low0 & ~up1, up0, done)
    cubes1, covered1 = _cover(space, low1 & ~up0, up1, done)
    rest, covered = _cover(space, (low0 & ~covered0) | (low1 & ~covered1), up0 & up1, done)
    if len(cubes0) + len(cubes1) + len(rest) > _MOST_CUBES:
        raise OverflowError
    atom, single = space.atom_at(level), space.single(level)
    cubes = [{atom: False, **cube} for cube in cubes0] + [{atom: True, **cube} for cube in cubes1] + rest
    return cubes, (covered0 & ~single) | (covered1 & single) | covered

"""Backends that are loaded when they are asked for: what a dispatcher has does not hang on that being done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition

from ...symbolic.collect import Reached
from ...symbolic.reach import Reach

_CALLS: Final = ("called:", "imported:")


def once_called(condition: Condition) -> Condition:
    """A condition as it is once all the functions were called that it waits for."""
    return condition.under(_granted(_is_call))


def loaded(reach: Reach, effects: Iterable[Reached[object]]) -> Iterator[Reached[object]]:
    """What was put on record, as it is once the calls were made that import its module."""
    calls = {name: frozenset(filter(_is_call, condition.support())) for name, condition in reach.conditions.items()}
    for effect in effects:
        made = calls[effect.module]
        yield replace(effect, condition=effect.condition.under(_granted(made.__contains__))) if made else effect


def _is_call(atom: Atom) -> bool:
    return atom.subject.startswith(_CALLS)


def _granted(holds: Callable[[Atom], bool]) -> Callable[[Atom], bool | None]:
    return lambda atom: True if holds(atom) else None

"""Backends that are loaded when they are asked for: what a dispatcher has does not hang on that being done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition
from opcheck_rules.model.facts import granting, is_call

from ...symbolic.collect import Reached
from ...symbolic.reach import Reach


def once_called(condition: Condition) -> Condition:
    """A condition as it is once all the functions were called that it waits for."""
    return condition.under(granting(_is_loading))


def loaded(reach: Reach, effects: Iterable[Reached[object]]) -> Iterator[Reached[object]]:
    """What was put on record, as it is once the calls were made that import its module."""
    calls = {name: frozenset(filter(_is_loading, condition.support())) for name, condition in reach.conditions.items()}
    for effect in effects:
        made = calls[effect.module]
        yield replace(effect, condition=effect.condition.under(granting(made.__contains__))) if made else effect


def _is_loading(atom: Atom) -> bool:
    """Whether a fact is that a function was called, or that one which was not evaluated imported a module."""
    return is_call(atom) or atom.subject.startswith("imported:")

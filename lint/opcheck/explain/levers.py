"""What would make a condition hold: the keys of a target that answer its facts another way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from opcheck.reading import Environment
from opcheck.symbolic.values import is_tuple
from opcheck_rules.base import assume_line
from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition
from opcheck_rules.model.facts import is_call
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

from .known import bringing

_DEVICE: Final = re.compile(r"built:(\w+)|torch\.(?:backends\.)?(\w+)\.is_available\(\)")
_ASSUMED: Final = "in `assume`"


def levers(condition: Condition, table: Table, environment: Environment) -> tuple[str, ...]:
    """The fewest changes under which `condition` holds: of what is open, where that is enough; else of any fact."""
    left = condition.under(table.decide)
    ways = [
        [_lever(atom, holds, table.target, environment) for atom, holds in _differing(cube, table)]
        for cube in (condition if left.fails else left).cubes()
    ]
    easiest: list[str] = min(ways, key=_effort, default=list[str]())
    return tuple(dict.fromkeys(easiest))


def _effort(way: list[str]) -> tuple[int, int]:
    """How much is to be changed; a key that says what a machine has goes before an assumption about it."""
    return len(way), sum(_ASSUMED in lever for lever in way)


def _differing(cube: dict[Atom, bool], table: Table) -> Iterator[tuple[Atom, bool]]:
    return ((atom, holds) for atom, holds in cube.items() if table.decide(atom) is not holds)


def _lever(atom: Atom, holds: bool, target: Target, environment: Environment) -> str:
    kind, _, name = atom.subject.partition(":")
    if is_call(atom):
        return f"`{name}` {'called' if holds else 'not called'} before"
    if kind == "feature":
        return f"`{name}` {'in' if holds else 'out of'} `features`"
    extras = bringing(name, environment) if kind == "installed" else []
    if extras and atom.subject not in target.assume:
        return f"`{extras[0]}` {'in' if holds else 'out of'} `extras`"
    device = _device(atom)
    if device and atom.subject not in target.assume:
        return f"`{device}` {'in' if holds else 'out of'} `backends`"
    return f"`{assume_line(_simplest(atom, holds), holds)}` {_ASSUMED}"


def _simplest(atom: Atom, holds: bool) -> Atom:
    """One of several values is as good as any."""
    if atom.operator == "in" and holds and is_tuple(atom.operand) and atom.operand:
        return replace(atom, operator="==", operand=atom.operand[0])
    return atom


def _device(atom: Atom) -> str | None:
    """The backend whose presence a fact asks for."""
    found = _DEVICE.fullmatch(atom.subject)
    return found[1] or found[2] if found and not atom.operator else None

"""What the described dispatchers of a project declare, as the rules see it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from opcheck_rules.model.project import Framework

from ...symbolic.collect import Reached
from ...symbolic.reach import Reach
from ...symbolic.values import ClassValue, ModuleValue
from ..given_up import GivenUp, given_up
from .attributes import attributes
from .classes import classes
from .frameworks import own_frameworks
from .loading import loaded
from .modules import modules
from .needles import declaring_paths
from .offers import Known, Said
from .parts import Parts
from .paths import found_at
from .records import Supplied
from .registrations import fillings, registrations, undecided, unresolved
from .rows import Dispatcher, rows
from .supplied import supplied
from .watcher import Described, is_enclosed


def described_parts(described: Described, reach: Reach, effects: Sequence[Reached[object]]) -> Parts:
    """Join what was put on record for each dispatcher."""
    space = described.machine.space
    there = list(loaded(reach, effects))
    said = [read(described, there) for read in (supplied, classes, attributes, modules)]
    given = [effect.of(Supplied) for effect in there if isinstance(effect.record, Supplied)]
    parts = Parts()
    for name, framework in own_frameworks(described.descriptions).items():
        own = [one for one in given if one.record.description.name == name]
        dispatcher = _dispatcher(described, reach, framework, said)
        parts.ops += rows(space, dispatcher)
        parts.registrations += (*registrations(framework, own), *fillings(framework, dispatcher.offers))
        undecided_here = undecided(space, framework, dispatcher.offers)
        parts.unresolved += (*unresolved(space, framework, own), *undecided_here)
    met = {id(known.description) for one in said for known in one.ops}
    described.idle = [description for description in described.descriptions if id(description) not in met]
    return parts


def _dispatcher(described: Described, reach: Reach, framework: Framework, said: Sequence[Said]) -> Dispatcher:
    tables = [d for d in described.descriptions if d.name == framework.name]
    paths = dict.fromkeys(path for d in tables if not is_enclosed(d) for path in declaring_paths(d))
    calls = [call for path in paths for call in _given_up(described, reach, path)]
    ops: dict[str, list[Known]] = defaultdict(list)
    for known in (k for one in said for k in one.ops if k.description.name == framework.name):
        ops[str(known.op.full)].append(known)
    offers = [o for one in said for o in one.offers if o.description.name == framework.name]
    return Dispatcher(framework, tables, ops, offers, calls)


def _given_up(described: Described, reach: Reach, path: str) -> tuple[GivenUp, ...]:
    """The calls given up that may register by what a path names: code that does mentions the object of a method."""
    owner, name = described.paths.defined(path).rpartition(".")[::2]
    value = found_at(described.machine, owner)
    if value is None or isinstance(value, (ClassValue, ModuleValue)):
        return given_up(described.machine, reach, name, frozenset({name}))
    held = owner.rpartition(".")[2]
    return given_up(described.machine, reach, held, frozenset({name}), frozenset({held}))

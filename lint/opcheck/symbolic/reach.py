"""Which modules an import of the project runs, and under which condition."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from opcheck_rules.model.condition import Condition, Conditions

from .limits import PATH_ATOMS
from .modules import ImportEdge


@dataclass(frozen=True, slots=True)
class Reach:
    """For each module the condition under which it runs, and the entries that lead to it."""

    conditions: Mapping[str, Condition]
    entries: Mapping[str, frozenset[str]]


def reach(space: Conditions, edges: Iterable[ImportEdge], entries: Iterable[str], modules: Iterable[str]) -> Reach:
    """Follow the imports from the entries to a fixpoint: a module runs where one that imports it gets there."""
    outgoing: dict[str, list[ImportEdge]] = defaultdict(list)
    for edge in edges:
        outgoing[edge.importer].append(edge)
    conditions = dict.fromkeys(modules, space.false)
    origins: dict[str, set[str]] = {name: set() for name in conditions}
    queue = deque(name for name in entries if name in conditions)
    for name in queue:
        conditions[name] = space.true
        origins[name].add(name)
    while queue:
        name = queue.popleft()
        for edge in outgoing[name]:
            if edge.imported in conditions and _widen(space, conditions, origins, edge):
                queue.append(edge.imported)
    return Reach(conditions, {name: frozenset(found) for name, found in origins.items()})


def _widen(space: Conditions, conditions: dict[str, Condition], origins: dict[str, set[str]], edge: ImportEdge) -> bool:
    """Let one import lead on. Says whether that reached anything new."""
    imported, through = edge.imported, conditions[edge.importer] & edge.condition
    if through.fails:
        return False
    wider = conditions[imported] | through
    if wider.size > PATH_ATOMS:
        wider = conditions[imported] | space.atom(f"imported:{imported}")
    grown = origins[imported] | origins[edge.importer]
    changed = wider is not conditions[imported] or len(grown) > len(origins[imported])
    conditions[imported], origins[imported] = wider, grown
    return changed

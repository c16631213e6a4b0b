"""Which modules an import of the project runs, and under which condition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from opcheck_rules.model.condition import Condition, Conditions

from .limits import PATH_ATOMS
from .modules import ImportEdge


class Reach(Struct, frozen=True):
    """For each module the condition under which it runs, and the entries that lead to it."""

    conditions: Mapping[str, Condition]
    entries: Mapping[str, frozenset[str]]


def reach(space: Conditions, edges: Sequence[ImportEdge], entries: Iterable[str], modules: Iterable[str]) -> Reach:
    """Follow the imports from the entries to a fixpoint: a module runs where one that imports it gets there.

    What plain imports lead to is always reached: guards only have a say in where the rest is, and in which entries lead
    where.
    """
    names = [*modules, *(name for e in edges for name in (e.importer, e.imported))]
    found = _Reaching(space, dict.fromkeys(names, space.false), {name: set() for name in names})
    for name in entries:
        found.begin(name)
    found.follow(edge for edge in edges if edge.is_plain)
    found.follow(edges)
    return Reach(found.conditions, {name: frozenset(origins) for name, origins in found.origins.items()})


class _Reaching(Struct, frozen=True):
    space: Conditions
    conditions: dict[str, Condition]
    origins: dict[str, set[str]]

    def begin(self, entry: str) -> None:
        """Let importing start at an entry: the packages that it lies in are run before it."""
        name = entry
        while name:
            if name in self.conditions:
                self.conditions[name] = self.space.true
                self.origins[name].add(entry)
            name = name.rpartition(".")[0]

    def follow(self, edges: Iterable[ImportEdge]) -> None:
        """Let some imports lead on from what is reached."""
        outgoing: dict[str, dict[tuple[str, Condition], ImportEdge]] = defaultdict(dict)
        for edge in edges:
            outgoing[edge.importer][edge.imported, edge.condition] = edge
        left = [name for name, condition in self.conditions.items() if not condition.fails]
        while left:
            widened = (edge.imported for name in left for edge in outgoing[name].values() if self._widen(edge))
            left = list(dict.fromkeys(widened))

    def _widen(self, edge: ImportEdge) -> bool:
        """Let one import lead on. Says whether that reached anything new."""
        imported, through = edge.imported, self.conditions[edge.importer] & edge.condition
        if through.fails:
            return False
        before, origins = self.conditions[imported], self.origins[imported]
        wider, known = before if before.holds else before | through, len(origins)
        if wider.size > PATH_ATOMS:
            wider = before | self.space.atom(f"imported:{imported}")
        self.conditions[imported] = wider
        origins |= self.origins[edge.importer]
        return wider is not before or len(origins) > known

"""Which modules have to be evaluated for the conditions under which others are reached."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from .machine import Machine
from .modules import ImportEdge
from .reach import reach


def declaring(machine: Machine) -> list[str]:
    """The modules that may declare something."""
    return sorted(name for name in machine.layout.files if _is_declaring(machine, name))


def _is_declaring(machine: Machine, name: str) -> bool:
    """Whether a module has to be evaluated for its own sake."""
    outline = machine.outlines.get(name)
    return outline.declares if outline is not None else not machine.outlines


def demand_importers(machine: Machine, first: Sequence[str], mattering: Iterable[str]) -> None:
    """Evaluate what imports, behind a guard or in a function, a module that matters and is not always reached."""
    machine.space.release()
    reached = reach(machine.space, machine.edges, first, machine.modules)
    matters = {*mattering, *(effect.module for effect in machine.effects), *(runner for runner, _, _ in machine.loads)}
    waiting = [name for name in sorted(matters) if name not in reached.conditions or not reached.conditions[name].holds]
    importers, seen = _importers(machine) if waiting else {}, set(waiting)
    while waiting:
        for importer, is_plain in importers[waiting.pop()]:
            module = machine.load_module(importer)
            if module.is_untouched and not is_plain:
                machine.evaluate_module(module)
            if module.waiting is not None and not is_plain:
                module.waiting.settle()
            condition = reached.conditions.get(importer)
            if importer not in seen and (condition is None or not condition.holds):
                seen.add(importer)
                waiting.append(importer)


def reach_by_calls(machine: Machine, first: Sequence[str]) -> None:
    """Let what declares be reached where only functions that were not evaluated import it: somebody may call them."""
    machine.space.release()
    reached = reach(machine.space, machine.edges, first, machine.modules).conditions
    waiting = sorted({effect.module for effect in machine.effects if reached[effect.module].fails})
    importers, seen = _importers(machine) if waiting else {}, set(waiting)
    evaluated = {(edge.importer, edge.imported) for edge in machine.edges}
    while waiting:
        name = waiting.pop()
        for importer, is_plain in importers.get(name, ()):
            if not is_plain and (importer, name) not in evaluated:
                machine.edges.append(ImportEdge(importer, name, machine.space.atom(f"imported:{name}")))
            if importer not in seen and importer in reached and reached[importer].fails:
                seen.add(importer)
                waiting.append(importer)


def _importers(machine: Machine) -> dict[str, list[tuple[str, bool]]]:
    """By module, who imports it, and whether that is certain."""
    found: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for name, imported, is_plain in _imports(machine):
        found[imported].append((name, is_plain))
    return found


def _imports(machine: Machine) -> Iterator[tuple[str, str, bool]]:
    for name, outline in machine.outlines.items():
        for statement, led in zip(outline.imports, outline.leads, strict=True):
            yield from ((name, imported, statement.is_plain) for imported in led)

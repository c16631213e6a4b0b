"""Where importing a project starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from ..summary.imports import Import
from .modules import Layout, absolute

Leads: TypeAlias = Mapping[Path, Sequence[tuple[str, ...]]]
"""By file, the modules of the project that each of its import statements leads to."""


def leads(layout: Layout, imports: Mapping[Path, Sequence[Import]]) -> Leads:
    """Where the import statements of every file lead."""
    return {
        path: [imported_modules(layout, layout.names[path], statement) for statement in statements]
        for path, statements in imports.items()
    }


def entries(layout: Layout, leads: Leads, inside: Sequence[Path], configured: Iterable[str]) -> list[str]:
    """The modules that importing starts from: configured ones, package roots, and what no other module imports.

    `inside` are the files that are part of what is imported: tests and the like are not, unless they were asked about.
    Who imports whom is read from the text, so that an import in a dead branch counts: a guarded backend module is no
    entry.
    """
    imported = {name for path in inside for led in leads[path] for name in led}
    roots = [layout.names[path] for path in inside if _is_root(layout, layout.names[path], imported)]
    return list(dict.fromkeys([*(layout.canonical(name) for name in configured), *roots]))


def circles(
    layout: Layout, imports: Mapping[Path, Sequence[Import]], leads: Leads, inside: Sequence[Path], first: Sequence[str]
) -> list[str]:
    """Where importing starts of modules that only import each other.

    It is the one that imports the others in a function or behind a guard: there the circle is open.
    """
    found: list[str] = []
    while left := {layout.names[path] for path in inside} - reachable(layout, leads, [*first, *found]):
        found.append(max(sorted(left), key=lambda name: _sometimes(imports, leads, layout.files[name], left)))
    return found


def _sometimes(imports: Mapping[Path, Sequence[Import]], leads: Leads, path: Path, left: set[str]) -> int:
    """How many imports of certain modules stand in a function or behind a guard."""
    led = zip(imports[path], leads[path], strict=True)
    return sum(not (statement.is_plain or left.isdisjoint(names)) for statement, names in led)


def _is_root(layout: Layout, name: str, imported: set[str]) -> bool:
    parent = name.rpartition(".")[0]
    return name not in imported or (layout.is_package(name) and parent not in layout.files)


def imported_modules(layout: Layout, module: str, statement: Import) -> tuple[str, ...]:
    """The modules of the project that an import statement names, but for the packages that it stands in."""
    if layout.is_foreign(statement):
        return ()
    found: dict[str, None] = {}
    for name in named_modules(layout, module, statement):
        canonical = layout.canonical(name)
        while canonical and canonical not in found:
            if canonical in layout.files and canonical != module and not module.startswith(f"{canonical}."):
                found[canonical] = None
            canonical = canonical.rpartition(".")[0]
    return tuple(found)


def reachable(layout: Layout, leads: Leads, first: Iterable[str]) -> set[str]:
    """The modules that some import statement leads to from the entries, be it in a function or behind a guard.

    Importing a module runs the packages it lies in.
    """
    found: set[str] = set()
    waiting = list(first)
    while waiting:
        name = waiting.pop()
        if name in layout.files and name not in found:
            found.add(name)
            waiting.append(name.rpartition(".")[0])
            waiting += (imported for led in leads[layout.files[name]] for imported in led)
    return found


def named_modules(layout: Layout, module: str, statement: Import) -> Iterator[str]:
    """What an import statement names that may be a module: what stands behind `from`, and each name taken from it."""
    base = absolute(module, layout.is_package(module), statement.level, statement.module)
    if base is not None:
        yield base
        yield from (f"{base}.{name}" for name, _ in statement.names or ())

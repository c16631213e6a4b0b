"""Where importing a project starts."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..summary.summary import Summary
from .modules import Layout


def entries(
    layout: Layout, summaries: Mapping[Path, Summary], inside: Sequence[Path], configured: Iterable[str]
) -> list[str]:
    """The modules that importing starts from: configured ones, package roots, and what no other module imports.

    `inside` are the files that are part of what is imported: tests and the like are not, unless they were asked about.
    Who imports whom is read from the text, so that an import in a dead branch counts: a guarded backend module is no
    entry.
    """
    imported = {name for path in inside for name in imported_modules(layout, layout.names[path], summaries[path])}
    roots = [layout.names[path] for path in inside if _is_root(layout, layout.names[path], imported)]
    return list(dict.fromkeys([*(layout.canonical(name) for name in configured), *roots]))


def _is_root(layout: Layout, name: str, imported: set[str]) -> bool:
    parent = name.rpartition(".")[0]
    return name not in imported or (layout.is_package(name) and parent not in layout.files)


def imported_modules(layout: Layout, module: str, summary: Summary) -> Iterator[str]:
    """The modules of the project that a file names in its import statements, but for the packages it lies in."""
    for name in _names(layout, module, summary.imports):
        canonical = layout.canonical(name)
        while canonical:
            if canonical in layout.files and canonical != module and not module.startswith(f"{canonical}."):
                yield canonical
            canonical = canonical.rpartition(".")[0]


def _names(layout: Layout, module: str, imports: Iterable[ast.Import | ast.ImportFrom]) -> Iterator[str]:
    package = module if layout.is_package(module) else module.rpartition(".")[0]
    for node in imports:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
            continue
        parts = package.split(".") if node.level else []
        base = ".".join([*parts[: len(parts) - node.level + 1], *([node.module] if node.module else [])])
        yield base
        yield from (f"{base}.{alias.name}" for alias in node.names if alias.name != "*")

"""A module that declares nothing: what it always imports is followed, and nothing else of it is looked at."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from ..summary.imports import Import
from .modules import ImportEdge, Layout, Module, absolute

if TYPE_CHECKING:
    from .machine import Machine


class Outline(Struct, frozen=True):
    """What a file says without being parsed: its imports, and whether it may declare something.

    One that does so `spells` an API, or else imports what may be compiled code. `leads` are the modules of the project
    that each of the imports leads to.
    """

    imports: Sequence[Import]
    declares: bool
    spells: bool
    leads: Sequence[tuple[str, ...]]


def follow(machine: Machine, module: Module, outline: Outline) -> None:
    """Import what a module always imports."""
    for statement in outline.imports:
        for name in imported(machine, module, statement):
            if statement.is_plain and machine.layout.canonical(name) in machine.layout.files:
                _enter(machine, module.name, machine.layout.canonical(name))
            elif machine.layout.canonical(name) not in machine.layout.files:
                machine.external_modules.add(name)
        module.followed += 1
    if module.state == "new":
        module.state, module.turn = "outlined", machine.next_turn()


def imported(machine: Machine, module: Module, statement: Import) -> Iterator[str]:
    """The modules that an import statement runs, but for the packages they lie in."""
    base = absolute(module.name, module.is_package, statement.level, statement.module)
    if base is None:
        return
    yield base
    canonical = machine.layout.canonical(base)
    for name, _ in statement.names or ():
        path = machine.layout.canonical(f"{base}.{name}")
        if path in machine.layout.files and not binds(machine, canonical, name):
            yield path


def misses(
    layout: Layout, module: str, imports_of: Callable[[str], Sequence[Import]], text_of: Callable[[str], str]
) -> bool:
    """Whether a module imports one of the project's own that has no Python file: compiled code, most likely."""
    for statement in (each for each in imports_of(module) if not layout.is_foreign(each)):
        base = absolute(module, layout.is_package(module), statement.level, statement.module)
        if base is not None and _is_missing(layout, layout.canonical(base)):
            return True
        package = layout.canonical(base or "")
        for name, _ in statement.names or ():
            path = layout.canonical(f"{base}.{name}")
            if path in layout.compiled:
                return True
            if _is_below(layout, package, path) and not _may_bind(layout, package, name, imports_of, text_of):
                return True
    return False


def lacks(machine: Machine, package: Module, name: str) -> bool:
    """Whether a name that is taken from a package is neither bound there nor a file below it: compiled, most likely."""
    layout, outlines = machine.layout, machine.outlines

    def imports_of(module: str) -> Sequence[Import]:
        return outlines[module].imports

    return (
        package.name in outlines
        and _is_below(layout, package.name, layout.canonical(f"{package.name}.{name}"))
        and not _may_bind(layout, package.name, name, imports_of, machine.text_of)
    )


def _is_below(layout: Layout, package: str, path: str) -> bool:
    """Whether a name that is taken from a package may be a module below it which has no file."""
    is_file = path in layout.files or path in layout.folders
    return package in layout.files and layout.is_package(package) and not is_file


def _may_bind(
    layout: Layout,
    package: str,
    name: str,
    imports_of: Callable[[str], Sequence[Import]],
    text_of: Callable[[str], str],
) -> bool:
    """Whether a package's own text binds a name, or may."""
    imports = imports_of(package)
    if any(_takes(layout, package, statement, name) or _has_star(statement) for statement in imports):
        return True
    text = text_of(package)
    return "__getattr__" in text or re.search(_BINDING.format(re.escape(name)), text, re.MULTILINE) is not None


def _has_star(statement: Import) -> bool:
    return any(taken == "*" for taken, _ in statement.names or ())


def _is_missing(layout: Layout, name: str) -> bool:
    own = name.split(".", 1)[0] in layout.roots
    return name in layout.compiled or (own and name not in layout.files and name not in layout.folders)


def binds(machine: Machine, package: str, name: str) -> bool:
    """Whether a package has a name of its own, which hides the module below it."""
    if package not in machine.layout.files:
        return False
    imports, module = machine.outlines[package].imports, machine.load_module(package)
    if module.state == "new":
        # Its import has only come so far.
        come = imports[: module.followed]
        return any(name == bound for statement in come for _, bound in statement.names or ())
    if any(_takes(machine.layout, package, statement, name) for statement in imports):
        return True
    may_bind = re.search(_BINDING.format(re.escape(name)), machine.text_of(package), re.MULTILINE) is not None
    return (may_bind or any(map(_has_star, imports))) and name in module.scope.names


def _takes(layout: Layout, package: str, statement: Import, name: str) -> bool:
    """Whether a statement binds a name in a package to anything but the module of that name below it."""
    base = absolute(package, layout.is_package(package), statement.level, statement.module)
    bound = [taken for taken, alias in statement.names or () if alias == name]
    return any(taken != name or layout.canonical(base or "") != package for taken in bound)


_BINDING: Final = r"\b(?:def|class|for|global)[ \t]+{0}\b|\b{0}[ \t]*(?::[^=\n]*)?=[^=]|^[ \t]*{0}[ \t]*,"


def outlined_origin(machine: Machine, module: Module, name: str) -> str | None:
    """Where a name that a module imports was first bound; None where it is the module's own."""
    met: set[str] = set()
    path = None
    while module.is_untouched and module.name not in met:
        met.add(module.name)
        source = _source(machine, module, name)
        if source is None:
            return path
        base, name = source
        path, canonical = f"{base}.{name}", machine.layout.canonical(base)
        if canonical not in machine.layout.files:
            return path
        module = machine.load_module(canonical)
    return module.origins.get(name, path)


def _source(machine: Machine, module: Module, name: str) -> tuple[str, str] | None:
    for statement in machine.outlines[module.name].imports:
        base = absolute(module.name, module.is_package, statement.level, statement.module)
        for taken, bound in statement.names or ():
            if bound == name and base is not None:
                return base, taken
    return None


def _enter(machine: Machine, importer: str, name: str) -> None:
    parts = name.split(".")
    for i in range(1, len(parts) + 1):
        part = ".".join(parts[:i])
        if part not in machine.layout.files:
            continue
        machine.load_module(part)
        if part == name or not (importer == part or importer.startswith(f"{part}.")):
            machine.edges.append(ImportEdge(importer, part, machine.space.true, is_plain=True))


def is_always_there(name: str) -> bool:
    """Whether a module comes with Python."""
    top = name.split(".", 1)[0]
    return top in sys.stdlib_module_names or top == "__future__"

"""Import statements: which module runs, what its names are, and what a failing import means for the path."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from .assignment import assign_name, scope_of
from .failure import FAILURES, failure
from .frame import Frame
from .modules import Module, absolute
from .outline import binds, is_always_there, lacks, outlined_origin
from .scope import covered, narrow
from .values import External, ListValue, ModuleValue, Unknown, Value
from .versions import external


def import_modules(frame: Frame, node: ast.Import) -> None:
    """`import a.b, c as d`."""
    for alias in node.names:
        value = load(frame, alias.name)
        if alias.asname is None:
            top = alias.name.split(".", 1)[0]
            assign_name(frame, top, value if top == alias.name else _package(frame, top))
        else:
            assign_name(frame, alias.asname, value)


def _package(frame: Frame, name: str) -> Value:
    """The package that an import of a module below it has run."""
    canonical = frame.machine.layout.canonical(name)
    if canonical in frame.machine.layout.files:
        return ModuleValue(frame.machine.load_module(canonical))
    return External(canonical if canonical in frame.machine.layout.folders else name)


def import_from(frame: Frame, node: ast.ImportFrom) -> None:
    """`from a import b, c as d` and `from . import *`."""
    name = absolute_name(frame.module, node)
    if name is None:
        return
    value = load(frame, name)
    for alias in node.names:
        if alias.name == "*":
            _import_star(frame, name, value)
        else:
            bound = alias.asname or alias.name
            _bind(frame, name, value, alias.name, bound)
            if frame.scope is frame.module.scope:
                frame.module.origins[bound] = _origin(frame, value, f"{name}.{alias.name}", alias.name)


def _bind(frame: Frame, name: str, value: Value, attribute: str, bound: str) -> None:
    """Bind a name that is imported, to what is looked for when it is asked for where nothing hangs on it before."""
    if frame.attempt is not None or not _can_wait(frame, value, attribute):
        assign_name(frame, bound, import_name(frame, name, value, attribute))
        return
    later = replace(frame)
    scope_of(frame, bound).defer(bound, lambda: import_name(later, name, value, attribute), frame.path)


def _can_wait(frame: Frame, value: Value, name: str) -> bool:
    """Whether a module still has to bind a name, as not all of it was evaluated, and taking it runs no other."""
    if not isinstance(value, ModuleValue):
        return False
    module, path = value.module, f"{value.module.name}.{name}"
    if path in frame.machine.intrinsics or lacks(frame.machine, module, name):
        return False
    if not module.is_untouched:
        return module.state == "running" and name not in module.namespace.names and not _is_module(frame, path)
    return not _is_module(frame, path) or binds(frame.machine, module.name, name)


def _origin(frame: Frame, value: Value, path: str, name: str) -> str:
    """Where a name that is imported on was first bound."""
    if not isinstance(value, ModuleValue):
        return path
    if value.module.is_untouched:
        return outlined_origin(frame.machine, value.module, name) or path
    return value.module.origins.get(name, path)


def absolute_name(module: Module, node: ast.ImportFrom) -> str | None:
    """The full name of the module an import names; None for one that climbs out of its root."""
    return absolute(module.name, module.is_package, node.level, node.module or "")


def load(frame: Frame, name: str) -> Value:
    """Run the import of a module and of the packages it lies in; the path loses what that may fail under."""
    machine = frame.machine
    canonical = machine.layout.canonical(name)
    if canonical in machine.layout.files:
        return _load_project(frame, canonical)
    if canonical in machine.layout.folders:
        return External(canonical)
    if canonical in machine.layout.compiled:
        machine.load_compiled(frame, canonical)
        frame.fail(~machine.space.atom(f"loaded:{canonical}"), *FAILURES)
    elif not is_always_there(name):
        own = name.split(".", 1)[0] in machine.layout.roots
        subject = canonical if own else name.split(".", 1)[0]
        if own:
            machine.load_missing(frame, canonical)
        frame.fail(~machine.space.atom(f"installed:{subject}"), *FAILURES)
    machine.external_modules.add(name)
    return External(name)


def _load_project(frame: Frame, name: str) -> Value:
    parts = name.split(".")
    for i in range(1, len(parts) + 1):
        ancestor = ".".join(parts[:i])
        if ancestor in frame.machine.layout.files:
            _run(frame, ancestor, is_target=i == len(parts))
    return ModuleValue(frame.machine.met[name])


def _run(frame: Frame, name: str, *, is_target: bool) -> None:
    machine = frame.machine
    module = machine.load_module(name)
    # A module inside a package is no importer of it: it runs because the package did.
    is_around = frame.runner == name or frame.runner.startswith(f"{name}.")
    if is_target or not is_around:
        machine.add_edge(frame, name)
    if is_around:
        return
    if frame.attempt is not None:
        frame.fail(failure(machine, module), *FAILURES)
    elif frame.called is None:
        frame.module.requires.append((frame.path, module))


def import_name(frame: Frame, name: str, value: Value, attribute: str) -> Value:
    """One name taken from a module: an API, what the module bound, or a module below it."""
    machine = frame.machine
    path = f"{name}.{attribute}"
    if path in machine.intrinsics:
        return External(path)
    if not isinstance(value, ModuleValue):
        return load(frame, path) if _is_module(frame, path) else external(path)
    module = value.module
    if module.is_untouched and _is_module(frame, path) and not binds(machine, module.name, attribute):
        return load(frame, path)
    if attribute in module.scope.names:
        bound = module.scope.names[attribute]
        frame.fail(~covered(bound, module.scope.base), *FAILURES)
        return narrow(bound, frame.path)
    if _is_module(frame, path) or _must_be_module(frame, module):
        return load(frame, path)
    return machine.attribute(frame, value, attribute, ast.Pass())


def _must_be_module(frame: Frame, module: Module) -> bool:
    """Whether a name that a package does not hold can only be a module below it, one that is not among the files.

    A package in progress that something else imports from (a cycle) may still come to bind it, as may one that gives
    out names by `__getattr__` or was filled by a star import of what is not read.
    """
    in_progress = module.state != "done" and frame.module is not module
    gives_more = module.scope.is_open or "__getattr__" in module.scope.names
    return module.is_package and not in_progress and not gives_more


def _is_module(frame: Frame, path: str) -> bool:
    layout = frame.machine.layout
    canonical = layout.canonical(path)
    return canonical in layout.files or canonical in layout.compiled or canonical in layout.folders


def _import_star(frame: Frame, name: str, value: Value) -> None:
    if not isinstance(value, ModuleValue):
        frame.scope.is_open = True
        frame.module.starred.append(name)
        return
    module = value.module
    frame.module.starred += module.starred
    frame.scope.is_open |= module.scope.is_open
    for bound in _public_names(frame, module):
        if bound in module.scope.names:
            held = module.scope.names[bound]
            there = frame.path & covered(held, frame.path)
            frame.scope.bind(bound, narrow(held, there), there)
            frame.module.origins[bound] = module.origins.get(bound, f"{module.name}.{bound}")
        else:
            frame.scope.bind(bound, import_name(frame, name, value, bound), frame.path)


def _public_names(frame: Frame, module: Module) -> list[str]:
    declared = module.scope.names.get("__all__")
    declared = narrow(declared, frame.path) if declared is not None else None
    if isinstance(declared, ListValue) and not declared.is_open:
        return [v for _, v in declared.items if isinstance(v, str)]
    if isinstance(declared, tuple):
        return [v for v in declared if isinstance(v, str)]
    return [n for n in module.scope.names if not n.startswith("_")]


def spread_names(frame: Frame, name: str) -> Value | None:
    """A name that a star import of unread code may have brought: an API by that name, else unknown."""
    if not frame.module.scope.is_open:
        return None
    for starred in frame.module.starred:
        if f"{starred}.{name}" in frame.machine.intrinsics:
            return External(f"{starred}.{name}")
    return Unknown(f"{frame.module.name}.{name}")

"""Import statements: which module runs, what its names are, and what a failing import means for the path."""

from __future__ import annotations

import ast
import sys

from .assignment import assign_name
from .frame import Frame
from .modules import Module
from .scope import covered, narrow
from .values import External, ListValue, ModuleValue, Unknown, Value
from .versions import external

_FAILURES = ("ModuleNotFoundError", "ImportError", "Exception", "BaseException")


def import_modules(frame: Frame, node: ast.Import) -> None:
    """`import a.b, c as d`."""
    for alias in node.names:
        value = load(frame, alias.name)
        if alias.asname is None:
            top = alias.name.split(".", 1)[0]
            assign_name(frame, top, value if top == alias.name else load(frame, top))
        else:
            assign_name(frame, alias.asname, value)


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
            assign_name(frame, bound, import_name(frame, name, value, alias.name))
            if frame.scope is frame.module.scope:
                frame.module.origins[bound] = _origin(value, f"{name}.{alias.name}", alias.name)


def _origin(value: Value, path: str, name: str) -> str:
    """Where a name that is imported on was first bound."""
    return value.module.origins.get(name, path) if isinstance(value, ModuleValue) else path


def absolute_name(module: Module, node: ast.ImportFrom) -> str | None:
    """The full name of the module an import names; None for one that climbs out of its root."""
    if not node.level:
        return node.module
    parts = module.name.split(".")
    climb = node.level - (1 if module.is_package else 0)
    if climb > len(parts):
        return None
    base = parts[: len(parts) - climb]
    return ".".join([*base, node.module] if node.module else base) or None


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
        frame.fail(~machine.space.atom(f"loaded:{canonical}"), *_FAILURES)
    elif not _always_there(name):
        own = name.split(".", 1)[0] in machine.layout.roots
        subject = canonical if own else name.split(".", 1)[0]
        if own:
            machine.load_missing(frame, canonical)
        frame.fail(~machine.space.atom(f"installed:{subject}"), *_FAILURES)
    machine.external_modules.add(name)
    return External(name)


def _always_there(name: str) -> bool:
    top = name.split(".", 1)[0]
    return top in sys.stdlib_module_names or top == "__future__"


def _load_project(frame: Frame, name: str) -> Value:
    parts = name.split(".")
    for i in range(1, len(parts) + 1):
        ancestor = ".".join(parts[:i])
        if ancestor in frame.machine.layout.files:
            _run(frame, ancestor, is_target=i == len(parts))
    return ModuleValue(frame.machine.modules[name])


def _run(frame: Frame, name: str, *, is_target: bool) -> None:
    machine = frame.machine
    module = machine.load_module(name)
    # A module inside a package is no importer of it: it runs because the package did.
    if is_target or not (frame.runner == name or frame.runner.startswith(f"{name}.")):
        machine.add_edge(frame, name)
    frame.fail(module.failure, *_FAILURES)


def import_name(frame: Frame, name: str, value: Value, attribute: str) -> Value:
    """One name taken from a module: an API, what the module bound, or a module below it."""
    machine = frame.machine
    path = f"{name}.{attribute}"
    if path in machine.intrinsics:
        return External(path)
    if not isinstance(value, ModuleValue):
        return load(frame, path) if _is_module(frame, path) else external(path)
    module = value.module
    if attribute in module.scope.names:
        bound = module.scope.names[attribute]
        frame.fail(~covered(bound, module.scope.base), *_FAILURES)
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
            frame.scope.bind(bound, narrow(module.scope.names[bound], frame.path), frame.path)
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

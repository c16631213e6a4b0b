"""When importing a module fails: where one that it imports does, or a statement of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from opcheck_rules.model.condition import Condition

from ..summary.imports import has_guarded_import
from .modules import Module
from .outline import imported, is_always_there

if TYPE_CHECKING:
    from .machine import Machine

FAILURES: Final = ("ModuleNotFoundError", "ImportError", "Exception", "BaseException")


def failure(machine: Machine, module: Module) -> Condition:
    """The condition under which importing a module raises."""
    known = machine.failures.get(module.name)
    if known is not None:
        return known
    # In a circle of imports the one that closes it finds a module in progress, and does not fail for that.
    machine.failures[module.name] = machine.space.false
    result = _failure(machine, module)
    del machine.failures[module.name]
    if module.state in ("outlined", "done"):
        machine.failures[module.name] = result
    return result


def _failure(machine: Machine, module: Module) -> Condition:
    if module.state == "outlined":
        outline = machine.outlines[module.name]
        statements = [statement for statement in outline.imports if statement.is_plain]
        if len(statements) == len(outline.imports) or not has_guarded_import(machine.text_of(module.name)):
            names = [name for statement in statements for name in imported(machine, module, statement)]
            return machine.space.any(_unfound(machine, module.name, name) for name in names)
        machine.evaluate_module(module)
    if module.waiting is not None:
        module.waiting.settle()
    required = (path & failure(machine, other) for path, other in module.requires)
    return machine.space.any([module.failure, *required])


def _unfound(machine: Machine, importer: str, name: str) -> Condition:
    """The condition under which a module that is always imported cannot be."""
    canonical = machine.layout.canonical(name)
    if canonical in machine.layout.files:
        parts = canonical.split(".")
        chain = (".".join(parts[: i + 1]) for i in range(len(parts)))
        # The packages around a module have run by then.
        beside = (part for part in chain if not f"{importer}.".startswith(f"{part}."))
        modules = [machine.load_module(part) for part in beside if part in machine.layout.files]
        return machine.space.any(failure(machine, module) for module in modules)
    if canonical in machine.layout.folders or is_always_there(name):
        return machine.space.false
    return ~machine.space.atom(f"installed:{name.split('.', 1)[0]}")

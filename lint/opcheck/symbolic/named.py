"""The project's own names whose value hangs on facts, so that a target can assume what they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opcheck_rules.model.condition import Condition

from .machine import Machine
from .scope import Scope
from .values import Choice, Instance, Scalar, is_scalar


def guarded_names(machine: Machine) -> Mapping[str, tuple[tuple[Condition, Scalar], ...]]:
    """The scalars each such name can hold and when, by the expression a guard names it with: `pkg.flags.HAS_CUDA`."""
    return {
        f"{label}.{name}": scalars
        for label, scope in _scopes(machine)
        for name, value in scope.names.found()
        if isinstance(value, Choice) and (scalars := tuple((c, v) for c, v in value.alternatives if is_scalar(v)))
    }


def _scopes(machine: Machine) -> Iterator[tuple[str, Scope]]:
    """Those of modules, of classes, and of the objects that modules hold."""
    for module in list(machine.modules.values()):
        yield module.name, module.scope
        for name, value in module.scope.names.found():
            if isinstance(value, Instance):
                yield f"{module.name}.{name}", value.scope
    for cls in machine.classes:
        yield cls.qualname, cls.scope

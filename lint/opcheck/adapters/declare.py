"""From what a symbolic import put on record to what the project declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.project import Project, Unreadable, Use

from ..symbolic.builtins import standard_library
from ..symbolic.collect import Reached, collect
from ..symbolic.machine import Machine
from ..symbolic.reach import Reach
from ..symbolic.uses import find_uses
from ..symbolic.values import FunctionValue, Intrinsic, Value
from . import FRAMEWORKS
from .native import api as native_api
from .native import registrations as native_registrations
from .native import rows as native_rows
from .native.records import Declared, KernelAdded, RuleAdded
from .torch import api as torch_api
from .torch import gathered as torch_gathered
from .torch import namespaces, record
from .torch import registrations as torch_registrations
from .torch import rows as torch_rows
from .torch.handles import CustomOp
from .torch.records import Filled

NEEDLES: Final = ("opcheck_runtime", "torch.library", "torch.ops", "from torch import library")
"""Text that a file which declares an op holds: where they are not, there is nothing to find."""

REGISTERING: Final[Mapping[str, frozenset[str]]] = {
    "opcheck_runtime": frozenset({"op", "kernel", "vjp", "enable_features"}),
    "torch": frozenset(
        {
            *("define", "impl", "custom_op", "triton_op", "register_kernel", "register_fake", "impl_abstract"),
            *("register_autograd", "register_vmap", "Library", "_register_fake", "load_library"),
        }
    ),
}
"""The names by which a function that registers something can be told, by the text that its file then holds."""


def intrinsics() -> Mapping[str, Intrinsic]:
    """Every callable that opcheck gives a meaning to, by dotted path."""
    return {**standard_library(), **native_api.intrinsics(), **torch_api.intrinsics()}


def declared(machine: Machine, reach: Reach, unreadable: Iterable[Unreadable]) -> Project:
    """All that was read, as the rules see it."""
    effects = sorted(collect(machine, reach), key=lambda effect: effect.order)
    native, features = _native(machine.space, effects)
    torch = _torch(machine, effects)
    return Project(
        frameworks=FRAMEWORKS,
        ops=(*native.ops, *torch.ops),
        registrations=(*native.registrations, *torch.registrations),
        uses=tuple(_uses(machine, reach, effects)),
        unreadable=tuple(unreadable),
        open_namespaces=torch.open_namespaces,
        features=features,
    )


def _native(space: Conditions, effects: list[Reached[object]]) -> tuple[Project, frozenset[str]]:
    ops, enabled = native_rows.gather(effects)
    features = native_rows.Features(space, enabled)
    complete = [g for g in ops.values() if g.declared]
    project = Project(
        frameworks=FRAMEWORKS,
        ops=tuple(native_rows.row(space, g, features) for g in complete),
        registrations=tuple(r for g in complete for r in native_registrations.registrations(g)),
    )
    return project, frozenset(name for e in enabled for name in e.record.names)


def _torch(machine: Machine, effects: list[Reached[object]]) -> Project:
    space = machine.space
    everything = torch_gathered.gather(effects)
    opened = namespaces.opened(machine, everything)
    rows = [
        torch_rows.Row(space, g, everything.taint(space, namespaces.of(g.name)), namespaces.of(g.name) in opened)
        for g in everything.ops.values()
    ]
    return Project(
        frameworks=FRAMEWORKS,
        ops=tuple(row.op() for row in rows),
        registrations=tuple(r for g in everything.ops.values() for r in torch_registrations.registrations(g)),
        open_namespaces=opened,
    )


def _uses(machine: Machine, reach: Reach, effects: list[Reached[object]]) -> Iterator[Use]:
    for use in find_uses(machine, op_of, _untracked(effects)):
        condition = use.condition & reach.conditions[use.module]
        if not condition.fails:
            yield Use(use.op, use.span, condition, use.tracked)


def op_of(value: Value) -> str | None:
    """The op that a value stands for, where it stands for one."""
    if isinstance(value, native_api.NativeOp):
        return value.name
    if isinstance(value, CustomOp):
        return record.qualified(value.name)
    return _referenced(record.qualified(value))


def _referenced(op: str | None) -> str | None:
    """`torch.ops.load_library(...)` and the like are calls of no op."""
    return None if op is None or op.partition("::")[0] in ("load_library", "loaded_libraries") else op


def _untracked(effects: Iterable[Reached[object]]) -> Iterator[FunctionValue]:
    """The functions that run below autograd: kernels, fakes and derivative rules."""
    for effect in effects:
        if isinstance(effect.record, (KernelAdded, RuleAdded, Filled, Declared)) and isinstance(
            effect.record.function, FunctionValue
        ):
            yield effect.record.function

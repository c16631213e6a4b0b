"""From what a symbolic import put on record to what the project declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition
from opcheck_rules.model.project import Project, Unreadable, Use

from ..symbolic.builtins import standard_library
from ..symbolic.collect import Reached, collect
from ..symbolic.machine import Machine
from ..symbolic.reach import Reach
from ..symbolic.uses import find_uses
from ..symbolic.values import FunctionValue, Intrinsic, Value
from . import FRAMEWORKS
from .derivatives import derivative_bodies, derivatives_at
from .left_out import LeftOut
from .native import api as native_api
from .native.project import native
from .native.records import Declared, KernelAdded, RuleAdded
from .torch import api as torch_api
from .torch import project as torch_project
from .torch import questions
from .torch.gathered import gather
from .torch.namespaces import unread
from .torch.record import NamedOp, qualified
from .torch.records import Filled
from .unguarded import judged

_NEEDLES: Final = ("opcheck_runtime", "torch.library", "torch.ops", "torch._library", "torch._custom_op")
_NEEDLE_IMPORT: Final = re.compile(r"from torch import[^\n]*\b(?:library|ops)\b")

REGISTERING: Final[Mapping[str, frozenset[str]]] = {
    "opcheck_runtime": frozenset({"op", "kernel", "vjp", "enable_features"}),
    "torch": frozenset(
        {
            *("define", "impl", "custom_op", "triton_op", "register_kernel", "register_fake", "impl_abstract"),
            *("register_autograd", "register_vmap", "Library", "_register_fake", "load_library", "impl_backward"),
        }
    ),
}
"""The names by which a function that registers something can be told, by the text that its file then holds."""


def is_candidate(text: str) -> bool:
    """Whether a file may declare or use an op, by its text alone."""
    if any(needle in text for needle in _NEEDLES):
        return True
    return "from torch import" in text and _NEEDLE_IMPORT.search(text) is not None


def intrinsics() -> Mapping[str, Intrinsic]:
    """Every callable that opcheck gives a meaning to, by dotted path."""
    standard = standard_library()
    return {**standard, **questions.intrinsics(standard), **native_api.intrinsics(), **torch_api.intrinsics()}


def declared(
    machine: Machine,
    reach: Reach,
    unreadable: Iterable[Unreadable],
    left_out: LeftOut,
    native_sources: Mapping[Path, bytes],
) -> Project:
    """All that was read, as the rules see it. `native_sources` are the C++ sources that register ops."""
    effects = sorted(collect(machine, reach), key=lambda effect: effect.order)
    compiled = _compiled(machine, reach, effects, native_sources) if native_sources else []
    effects += compiled
    answers = _answers(machine, reach, effects)
    answers |= questions.defined_in(machine.space, compiled)
    effects = [replace(e, condition=questions.answered(machine.space, e.condition, answers)) for e in effects]
    effects = [effect for effect in effects if not effect.condition.fails]
    own = native(machine.space, effects)
    everything = gather(machine.space, effects)
    unknown = unread(machine, reach, everything)
    ops = (*own.ops, *torch_project.ops(machine.space, everything, unknown))
    project = Project(
        frameworks=FRAMEWORKS,
        ops=tuple(map(left_out.applied, ops)),
        registrations=(*own.registrations, *torch_project.all_registrations(everything)),
        uses=tuple(_uses(machine, reach, effects, answers)),
        unreadable=tuple(unreadable),
        open_namespaces=unknown.opened,
        features=own.features,
        gates=own.gates,
        enablings=own.enablings,
    )
    return judged(project, machine, _untracked(effects))


def _compiled(
    machine: Machine, reach: Reach, effects: list[Reached[object]], sources: Mapping[Path, bytes]
) -> list[Reached[object]]:
    """What C++ sources register, where Python code loads what they are compiled into."""
    # Imported only where there are such sources: the parser takes longer to load than most projects to read.
    from ..cpp.project import compiled_effects, loading  # noqa: PLC0415

    every = unread(machine, reach, gather(machine.space, effects)).loads
    loads = [load for load in every if load.is_compiled] or every
    extensions = [name for _, name, _ in machine.loads]
    loaded = loading(machine.space, [(load.gap.condition, load.entries) for load in loads], extensions)
    return list(compiled_effects(sources, machine.space, loaded, len(machine.effects)))


def _answers(machine: Machine, reach: Reach, effects: list[Reached[object]]) -> dict[Atom, Condition]:
    """What the questions that conditions hang on come to, now that it is known which code could say yes."""
    conditions = {id(c): c for c in (*(e.condition for e in effects), *reach.conditions.values())}
    atoms = dict.fromkeys(atom for condition in conditions.values() for atom in condition.support())
    unknown = unread(machine, reach, gather(machine.space, effects))
    return questions.settle(machine.space, atoms, unknown.loaded)


def _uses(
    machine: Machine, reach: Reach, effects: list[Reached[object]], answers: Mapping[Atom, Condition]
) -> Iterator[Use]:
    bodies = list(derivative_bodies(effects))
    for use in find_uses(machine, op_of, _untracked(effects)):
        condition = questions.answered(machine.space, use.condition & reach.conditions[use.module], answers)
        if not condition.fails:
            yield Use(use.op, use.span, condition, use.tracked, derivatives_at(bodies, use.span))


def op_of(value: Value) -> str | None:
    """The op that a value stands for, where it stands for one."""
    if isinstance(value, native_api.NativeOp):
        return value.name
    if isinstance(value, NamedOp):
        return qualified(value.name)
    return qualified(value)


def _untracked(effects: Iterable[Reached[object]]) -> Iterator[FunctionValue]:
    """The functions that run below autograd: kernels, fakes and derivative rules."""
    for effect in effects:
        record = effect.record
        function = record.function if isinstance(record, (KernelAdded, RuleAdded, Filled, Declared)) else None
        if isinstance(function, FunctionValue):
            yield function

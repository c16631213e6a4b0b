"""From what a symbolic import put on record to what the project declares."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition
from opcheck_rules.model.project import Project

from ..symbolic.builtins import standard_library
from ..symbolic.collect import Reached, collect
from ..symbolic.machine import Machine
from ..symbolic.reach import Reach
from ..symbolic.values import Intrinsic
from ..uses.find import FoundUse
from .described.frameworks import frameworks
from .described.parts import Parts
from .given_up import GivenUp, given_up
from .left_out import LeftOut
from .native import api as native_api
from .native.project import native
from .torch import api as torch_api
from .torch import project as torch_project
from .torch import questions
from .torch.gathered import gather
from .torch.namespaces import unread
from .torch.unresolved import unresolved
from .unguarded import judged
from .used import judged_by_inputs, untracked, uses_of

if TYPE_CHECKING:
    from .described.watcher import Described

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


def intrinsics() -> Mapping[str, Intrinsic]:
    """Every callable that opcheck gives a meaning to, by dotted path."""
    standard = standard_library()
    return {**standard, **questions.intrinsics(standard), **native_api.intrinsics(), **torch_api.intrinsics()}


def declared(
    machine: Machine,
    reach: Reach,
    left_out: LeftOut,
    native_sources: Mapping[Path, bytes],
    described: Described | None = None,
) -> Project:
    """All that was read, as the rules see it.

    `native_sources` are the C++ sources that register ops, `described` what looked on for descriptions.
    """
    effects = list(collect(machine, reach))
    compiled = _compiled(machine, reach, effects, native_sources) if native_sources else []
    effects += compiled
    found = uses_of(machine, effects)
    lost = given_up(machine, reach, "torch", REGISTERING["torch"])
    answers = _answers(machine, reach, effects, found, lost)
    answers |= questions.defined_in(machine.space, compiled)
    effects = [replace(e, condition=questions.answered(machine.space, e.condition, answers)) for e in effects]
    effects = [effect for effect in effects if not effect.condition.fails]
    own = native(machine.space, effects, given_up(machine, reach, "opcheck_runtime", REGISTERING["opcheck_runtime"]))
    everything = gather(machine.space, effects)
    unknown = unread(machine, reach, everything, lost)
    parts = _parts(described, reach, effects)
    ops = (*own.ops, *torch_project.ops(machine.space, everything, unknown), *parts.ops)
    project = Project(
        frameworks=frameworks(described.descriptions if described is not None else ()),
        ops=tuple(map(left_out.applied, ops)),
        registrations=(*own.registrations, *torch_project.all_registrations(everything), *parts.registrations),
        uses=tuple(judged_by_inputs(machine, reach, effects, found, answers)),
        open_namespaces=unknown.opened,
        foreign_namespaces=unknown.foreign,
        features=own.features,
        gates=own.gates,
        enablings=own.enablings,
        unresolved=(*own.unresolved, *unresolved(everything), *parts.unresolved),
        unused_suppressions=(*own.unused_suppressions, *left_out.unused(ops, unknown.opened)),
    )
    return judged(project, machine, untracked(effects))


def _parts(described: Described | None, reach: Reach, effects: list[Reached[object]]) -> Parts:
    """What descriptions bring."""
    if described is None:
        return Parts()
    from .described.project import described_parts  # noqa: PLC0415

    return described_parts(described, reach, effects)


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


def _answers(
    machine: Machine, reach: Reach, effects: list[Reached[object]], uses: list[FoundUse], lost: tuple[GivenUp, ...]
) -> dict[Atom, Condition]:
    """What the questions that conditions hang on come to, now that it is known which code could say yes."""
    asking = (*(e.condition for e in effects), *reach.conditions.values(), *(use.condition for use in uses))
    conditions = {id(c): c for c in asking}
    atoms = dict.fromkeys(atom for condition in conditions.values() for atom in condition.support())
    unknown = unread(machine, reach, gather(machine.space, effects), lost)
    return questions.settle(machine.space, atoms, unknown.loaded)

"""Targets as machines: what a target that lists several stands for, and the one assumed where none is configured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opcheck_rules.model.project import Framework, Project, Status
from opcheck_rules.model.target import Target


def machines(target: Target, frameworks: Iterable[Framework]) -> Iterator[Target]:
    """One target for each accelerator listed, beside the backends that every machine has.

    No machine has a CUDA and an MPS device at once: a target that lists both means one machine of each kind.
    """
    accelerators = [b for b in target.backends if any(b in f.accelerators for f in frameworks)]
    if len(accelerators) < 2:
        yield target
        return
    for accelerator in accelerators:
        backends = tuple(b for b in target.backends if b == accelerator or b not in accelerators)
        yield replace(target, backends=backends)


def inferred(project: Project) -> list[Target]:
    """A target for each framework in use: every backend that some op has a kernel of its own for, all features on."""
    return [
        Target(f"inferred-{framework.name}", backends, inferred=True, all_features=True)
        for framework in project.frameworks.values()
        if (backends := _served(project, framework))
    ]


def _served(project: Project, framework: Framework) -> tuple[str, ...]:
    ops = [op for op in project.ops if op.framework == framework.name and op.has_definition]
    served = {
        cell.backend
        for op in ops
        for cell in op.cells.values()
        if cell.context == "forward" and any(o.status is Status.COVERED and o.named for o in cell.outcomes)
    }
    # Ops that serve every backend alike single out none; the one every machine has still shows them.
    return tuple(b for b in framework.backends if b in served) or framework.backends[:1] * bool(ops)

"""Gradients that a composite kernel brought, and another kernel of the op hides."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opcheck_rules.model.project import Cause, Outcome, Status

from ...symbolic.collect import Reached
from .keys import EXPLICIT, IMPLICIT
from .opaque import is_opaque
from .records import Filled
from .row import Row, place


def shadowed(row: Row, key: str, outcome: Outcome) -> Iterator[Outcome]:
    """An outcome of a derivative's cell, with the worlds apart in which a kernel that decomposes is there in vain.

    Such a kernel fills the cell, but for where a kernel of the backend, or an explicit composite one, is found first.
    """
    implicit = row.space.any(kernel.condition for kernel in row.gathered.kernels(IMPLICIT))
    here = outcome.condition & implicit
    if outcome.status is not Status.HOLE or here.fails:
        yield outcome
        return
    kernels = [*row.gathered.kernels(key), *row.gathered.kernels(EXPLICIT)]
    yield _hidden(next(k for k in kernels if k.condition.meets(here)), replace(outcome, condition=here))
    rest = outcome.condition & ~implicit
    if not rest.fails:
        yield replace(outcome, condition=rest)


def _hidden(kernel: Reached[Filled], hole: Outcome) -> Outcome:
    """A hole, as what the kernel that is found first makes of it: a gradient is lost where that one leaves torch."""
    right = hole.error is not None and hole.error.type == "UserWarning" and not is_opaque(kernel.record.function)
    reason = f"the kernel at {place(kernel.span)} hides the one that decomposes"
    return replace(hole, cause=Cause.SHADOWED, reason=reason, span=kernel.span, survivable=right)

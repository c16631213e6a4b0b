"""Which kernel a call on a backend runs.

Source: `OperatorEntry::computeDispatchTableEntryWithDebug` in ATen, and the same by running it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Cause, Outcome, Status

from ..cells import where
from .keys import AUTOGRAD, BACKEND_SELECT, COMPOSITES, DEVICE_KEYS, EXPLICIT, IMPLICIT, autograd_key
from .row import Row


def forward(row: Row, backend: str) -> tuple[Outcome, ...]:
    """A backend's own kernel, then the composite ones, then one at Autograd, which runs on every backend."""
    key = DEVICE_KEYS[backend]
    reads = frozenset({key, *COMPOSITES, autograd_key(key), AUTOGRAD})
    return row.close(_steps(row, backend, key), _hole(row, key), reads)


def _steps(row: Row, backend: str, key: str) -> Iterator[Outcome]:
    kernels = partial(row.kernels, backend=backend)
    yield from kernels(key, named=True)
    yield from where(row.decomposes(key), kernels(IMPLICIT))
    for composite in COMPOSITES:
        yield from where(~row.selected, kernels(composite))
    yield from kernels(autograd_key(key), named=True)
    yield from kernels(AUTOGRAD)
    yield from _unselected(row, backend)


def _unselected(row: Row, backend: str) -> Iterator[Outcome]:
    """The hole that such an op has for a device it has no kernel for."""
    if not row.gathered.kernels(EXPLICIT):
        return
    own = row.name.partition("::")[2]
    error = PredictedError("call", "RuntimeError", f"{own} does not have a kernel registered for {backend}.")
    reason = "no kernel, and one for every backend is not used where a `device` argument chooses"
    yield Outcome(row.selected, Status.HOLE, reason, cause=Cause.NO_KERNEL, span=row.listing, error=error)


def _hole(row: Row, key: str) -> Outcome:
    message = f"Could not run '{row.name}' with arguments from the '{key}' backend."
    error = PredictedError("call", "NotImplementedError", message)
    return Outcome(row.space.true, Status.HOLE, "no kernel", cause=Cause.NO_KERNEL, span=row.listing, error=error)


def served_without_tensors(row: Row) -> Condition:
    """Where a call without a tensor finds a kernel all the same."""
    kernels = (k.condition for key in (*COMPOSITES, BACKEND_SELECT) for k in row.gathered.kernels(key))
    return row.space.any(kernels)

"""Which kernel a call on a backend runs.

Source: `OperatorEntry::computeDispatchTableEntryWithDebug` in ATen, and the same by running it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Cause, Outcome, Status

from .keys import AUTOGRAD, BACKEND_SELECT, COMPOSITES, DEVICE_KEYS, EXPLICIT, IMPLICIT, autograd_key
from .row import Row


def forward(row: Row, backend: str) -> tuple[Outcome, ...]:
    """A backend's own kernel, then the composite ones, then one at Autograd, which runs on every backend."""
    key = DEVICE_KEYS[backend]
    selected = _selected(row)
    decomposes = row.decomposes(key)
    kernels = partial(row.kernels, backend=backend)
    steps = [*kernels(key, named=True)]
    steps += [replace(o, condition=o.condition & decomposes) for o in kernels(IMPLICIT)]
    for composite in COMPOSITES:
        steps += [replace(o, condition=o.condition & ~selected) for o in kernels(composite)]
    steps += [*kernels(autograd_key(key), named=True), *kernels(AUTOGRAD)]
    reads = frozenset({key, *COMPOSITES, autograd_key(key), AUTOGRAD})
    return row.close([*steps, *_unselected(row, backend, selected)], _hole(row, key), reads)


def _selected(row: Row) -> Condition:
    """Where a custom op chooses its kernel by a `device` argument: one made for every backend then serves none."""
    without = [d.condition for d in row.with_schema() if (s := d.record.schema) and s.chooses_no_backend]
    named = [k.condition for key in DEVICE_KEYS.values() for k in row.gathered.kernels(key) if k.record.through_op]
    return row.space.any(without) & row.space.any(named) & row.custom


def _unselected(row: Row, backend: str, selected: Condition) -> Iterator[Outcome]:
    """The hole that such an op has for a device it has no kernel for."""
    if not row.gathered.kernels(EXPLICIT):
        return
    own = row.name.partition("::")[2]
    error = PredictedError("call", "RuntimeError", f"{own} does not have a kernel registered for {backend}.")
    reason = "no kernel, and one for every backend is not used where a `device` argument chooses"
    yield Outcome(selected, Status.HOLE, reason, cause=Cause.NO_KERNEL, span=row.listing, error=error)


def _hole(row: Row, key: str) -> Outcome:
    message = f"Could not run '{row.name}' with arguments from the '{key}' backend."
    error = PredictedError("call", "NotImplementedError", message)
    return Outcome(row.space.true, Status.HOLE, "no kernel", cause=Cause.NO_KERNEL, span=row.listing, error=error)


def served_without_tensors(row: Row) -> Condition:
    """Where a call without a tensor finds a kernel all the same."""
    kernels = (k.condition for key in (*COMPOSITES, BACKEND_SELECT) for k in row.gathered.kernels(key))
    return row.space.any(kernels)

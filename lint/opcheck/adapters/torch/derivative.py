"""What differentiates an op: the derivative's own slot, whatever the forward cell holds."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Cause, Outcome, Status

from ..cells import where
from .keys import AUTOGRAD, DEVICE_KEYS, IMPLICIT, autograd_key
from .opaque import is_opaque, refuses_gradients
from .row import Row, place
from .shadowed import shadowed


def derivative(row: Row, backend: str) -> tuple[Outcome, ...]:
    """A kernel at the backend's autograd key, a composite kernel that decomposes, a formula or kernel for all."""
    key = DEVICE_KEYS[backend]
    own = autograd_key(key)
    reads = frozenset({own, AUTOGRAD, IMPLICIT, "derivative"})
    outcomes = row.close(_steps(row, key, own), _hole(row, key), reads)
    return tuple(part for outcome in outcomes for part in shadowed(row, key, outcome))


def _steps(row: Row, key: str, own: str) -> Iterator[Outcome]:
    yield from row.kernels(own, named=True)
    yield from _left_out(row, own)
    yield from _decomposed(row, key)
    yield from row.slots("derivative", AUTOGRAD, "derivative formula")
    yield from _legacy(row)
    yield from row.kernels(AUTOGRAD)
    yield from _left_out(row, AUTOGRAD)


def _decomposed(row: Row, key: str) -> Iterator[Outcome]:
    """A composite implicit kernel brings its derivative where a call runs it."""
    decomposes = row.decomposes(key)
    for kernel in row.kernels(IMPLICIT):
        reason = "decomposes into ops that have derivatives"
        yield replace(kernel, condition=kernel.condition & decomposes, reason=reason, stub=None)


def _legacy(row: Row) -> Iterator[Outcome]:
    """`impl_backward` makes a derivative together with `impl_save_for_backward`."""
    saved = row.space.any(f.condition for f in row.gathered.slots("save_for_backward"))
    return where(saved, row.slots("backward", AUTOGRAD, "derivative"))


def _left_out(row: Row, key: str) -> Iterator[Outcome]:
    for filled in row.gathered.fallthroughs(key):
        reason = f"not differentiable on purpose at {place(filled.span)}"
        yield Outcome(filled.condition, Status.EXCLUDED, reason, span=filled.span)


def _hole(row: Row, key: str) -> Outcome:
    reason, error = _missing(row, key)
    return Outcome(
        row.space.true,
        Status.HOLE,
        reason,
        cause=Cause.AUTODIFF_NOT_LISTED,
        span=row.listing,
        error=error,
        survivable=error.type == "UserWarning" and not _is_opaque(row),
    )


def _missing(row: Row, key: str) -> tuple[str, PredictedError]:
    dotted = row.name.replace("::", ".", 1)
    if not row.custom.fails:
        overload = dotted if dotted.count(".") > 1 else f"{dotted}.default"
        message = f"Trying to backward through {overload} but no autograd formula was registered."
        return "no autograd formula", PredictedError("backward", "RuntimeError", message)
    if not row.gathered.by(("legacy",)).fails:
        message = "Autograd has not been implemented for operator"
        return "no derivative", PredictedError("call", "RuntimeError", message)
    if any(refuses_gradients(kernel.record.function) for kernel in [*row.gathered.kernels(key)][:1]):
        message = "Can't call numpy() on Tensor that requires grad."
        return "no autograd kernel", PredictedError("call", "RuntimeError", message)
    message = f"{row.name}: an autograd kernel was not registered to the Autograd key(s)"
    return "no autograd kernel", PredictedError("backward", "UserWarning", message)


def _is_opaque(row: Row) -> bool:
    """Whether some kernel's body leaves torch, so that autograd cannot see through it."""
    kernels = [f for f in row.gathered.filled if f.record.slot == "kernel"]
    return not kernels or any(is_opaque(f.record.function) for f in kernels)

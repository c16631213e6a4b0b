"""From the types of a call's array inputs to what it reaches: the backend first, then whether the others agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import messages
from .arrays import backend_of_type, is_scalar_type
from .declared import Callee, DeclaredOp
from .route import Hole, route


def dispatch(op: DeclaredOp, *args: object) -> Any:
    """Call `op` with all parameters by position: the way for types that come for the first time."""
    return find(op, args)(*args)


def find(op: DeclaredOp, args: Sequence[object]) -> Callee:
    """Find what a call of `op` with these arguments reaches, or raise the error it ends in."""
    types = tuple([type(args[i]) for i in op.parameters.arrays])
    return op.table.get(types) or _fill(op, types)


def explain_missing_device(op: DeclaredOp, error: RuntimeError) -> None:
    """Raise NoDeviceError from an error in which CuPy says that it finds no GPU."""
    if messages.is_missing_device(error):
        raise messages.no_device(op) from error


def _fill(op: DeclaredOp, types: tuple[type, ...]) -> Callee:
    with op.lock:
        callee = _resolve(op, types)
        op.table[types] = callee
        if len(set(types)) == 1:
            op.table[types[0]] = callee
    return callee


def _resolve(op: DeclaredOp, types: tuple[type, ...]) -> Callee:
    """Find what a call with array inputs of these types reaches, or raise the error it ends in.

    A type with `__op_recorder__` wraps an array: it says itself what a call with it reaches.
    """
    for cls in types:
        recorder: Callable[[DeclaredOp], Callee] | None = getattr(cls, "__op_recorder__", None)
        if recorder is not None:
            return recorder(op)
    if not types:
        return _kernel(op, next(iter(op.arms)), parameter=None)
    came = {op.parameters.names[i]: cls for i, cls in zip(op.parameters.arrays, types, strict=True)}
    parameter, backend = _routing_input(op, came)
    callee = _kernel(op, backend, parameter=parameter)
    for other, cls in came.items():
        if not _goes_with(cls, backend):
            raise messages.mixed_backends(op, backend, parameter, other, cls)
    return callee


def _routing_input(op: DeclaredOp, came: dict[str, type]) -> tuple[str, str]:
    """Find the first float array parameter that holds an array, else the first array parameter that does."""
    for position in op.parameters.routing_order:
        name = op.parameters.names[position]
        backend = backend_of_type(came[name])
        if backend is not None:
            return name, backend
    raise messages.no_routing_input(op, came)


def _kernel(op: DeclaredOp, backend: str, *, parameter: str | None) -> Callee:
    answer = route(op.declaration, backend, tracked=False)
    if isinstance(answer, Hole):
        raise messages.backend_not_supported(op, answer, backend, parameter)
    return op.kernels[backend] if answer.source == "kernel" else op.body


def _goes_with(cls: type, backend: str) -> bool:
    """True for arrays of `backend`, and for what never conflicts: an absent input, a scalar of any origin."""
    return cls is type(None) or backend_of_type(cls) == backend or is_scalar_type(cls)

"""What the errors of a call say: what came, what is declared, why that has no kernel, and what to write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .arrays import backend_of, backend_of_type, type_name
from .declared import DeclaredOp
from .errors import (
    AutodiffNotSupportedError,
    BackendNotSupportedError,
    MixedBackendsError,
    NoDeviceError,
    NoRoutingInputError,
    TrackedError,
)
from .features import is_enabled
from .route import Hole, Reason
from .spec import BACKENDS, Gate

_NO_DEVICE_CODES: Final = ("cudaErrorNoDevice", "cudaErrorInsufficientDriver")


def backend_not_supported(op: DeclaredOp, hole: Hole, backend: str, parameter: str | None) -> BackendNotSupportedError:
    """Compose the error of a call whose arrays are on `backend`, brought by `parameter` if by any."""
    came = f"parameter `{parameter}` holds a `{backend}` array" if parameter else f"it runs on `{backend}`"
    why, remedy = _why_no_kernel(op, hole, backend)
    message = (
        f"Backend not supported for custom op `{op.name}`: {came}, but {why}\n"
        f"  declared: {_declared(op)} (at {op.source})\n"
        f"  to fix: {remedy}"
    )
    return BackendNotSupportedError(
        message,
        op=op.name,
        backend=backend,
        parameter=parameter,
        declared=tuple(op.arms),
        reason=hole.reason,
        feature=hole.feature,
    )


def autodiff_not_supported(op: DeclaredOp, hole: Hole, value: object, parameter: str) -> AutodiffNotSupportedError:
    """Compose the error of a call whose `parameter` is tracked and wraps the array `value`."""
    why, remedy = _why_no_derivative(op, hole)
    message = (
        f"Autodiff not supported for custom op `{op.name}`: parameter `{parameter}` is tracked, but {why}\n"
        f"  declared: {_declared(op)} (at {op.source})\n"
        f"  to fix: {remedy}; or, if no gradient is wanted, pass `.value` or call it inside `no_grad()`"
    )
    return AutodiffNotSupportedError(
        message,
        op=op.name,
        backend=backend_of(value),
        parameter=parameter,
        declared=tuple(op.arms),
        reason=hole.reason,
        feature=hole.feature,
    )


def misplaced(op: DeclaredOp, parameter: str) -> TrackedError:
    """Compose the error of a tracked value passed to a parameter that takes no float array."""
    kind = op.parameters.kinds[op.parameters.names.index(parameter)]
    takes = "is no array input" if kind is None else f"takes {kind.value}s"
    message = (
        f"Parameter `{parameter}` of custom op `{op.name}` cannot be tracked: it {takes}\n"
        "  to fix: pass `.value`, or annotate the parameter as FloatArray"
    )
    return TrackedError(message, op=op.name)


def mixed_backends(
    op: DeclaredOp, backend: str, routing_parameter: str, parameter: str, cls: type
) -> MixedBackendsError:
    """Compose the error of a call with `parameter` of type `cls` where an array of `backend` is needed."""
    found = backend_of_type(cls) or type_name(cls)
    message = mixed_message(op.name, backend, routing_parameter, parameter, found)
    return MixedBackendsError(
        message,
        op=op.name,
        backend=backend,
        routing_parameter=routing_parameter,
        parameter=parameter,
        found=found,
    )


def mixed_message(op: str, backend: str, routing_parameter: str, parameter: str, found: str) -> str:
    """Say that `parameter` holds an array of `found`, another backend or the name of a type that is no array's."""
    thing = f"a `{found}` array" if found in BACKENDS else f"a `{found}`, which is not an array"
    return (
        f"Mixed backends for custom op `{op}`: parameter `{routing_parameter}` holds a `{backend}` array, but"
        f" `{parameter}` holds {thing}\n"
        f"  to fix: convert `{parameter}` before the call, for example with `{_conversion(found, backend, parameter)}`"
    )


def no_routing_input(op: DeclaredOp, came: dict[str, type]) -> NoRoutingInputError:
    """Compose the error of a call none of whose array inputs holds an array."""
    found = {name: type_name(cls) for name, cls in came.items()}
    listing = ", ".join(f"`{name}` holds a `{kind}`" for name, kind in found.items())
    backend = next(iter(op.arms), "numpy")
    message = (
        f"No array to choose a backend by for custom op `{op.name}`: {listing}\n"
        "  scalars and None do not say where to run\n"
        f"  to fix: make one an array, for example with `{backend}.asarray({next(iter(found))})`"
    )
    return NoRoutingInputError(message, op=op.name, found=found)


def is_missing_device(error: RuntimeError) -> bool:
    """True for CuPy's error on a machine where it finds no GPU or no driver for one."""
    return type(error).__name__ == "CUDARuntimeError" and str(error).startswith(_NO_DEVICE_CODES)


def no_device(op: DeclaredOp) -> NoDeviceError:
    """Compose the error of a kernel that reached CuPy on such a machine."""
    message = (
        f"No GPU for custom op `{op.name}`: its `cupy` kernel ran, but CuPy finds no usable NVIDIA GPU here\n"
        "  to fix: run it on a machine with a GPU and its driver, or pass NumPy arrays"
    )
    return NoDeviceError(message, op=op.name)


def hole_reason(op: DeclaredOp, hole: Hole, backend: str) -> str:
    """Say in a few words why a cell of the dispatch table is empty."""
    match hole.reason:
        case Reason.UNSUPPORTED:
            return f"left out on purpose: {op.unsupported[backend]}"
        case Reason.FEATURE_OFF | Reason.AUTODIFF_FEATURE_OFF:
            late = hole.feature is not None and is_enabled(hole.feature)
            return f"feature `{hole.feature}` {'was enabled after the declaration' if late else 'is off'}"
        case _:
            return str(hole.reason.value)


def _why_no_kernel(op: DeclaredOp, hole: Hole, backend: str) -> tuple[str, str]:
    """Give the reason of a hole, as the end of a sentence, and what to write against it."""
    elsewhere = f"convert the input to a declared backend ({_quoted(op.arms)})"
    match hole.reason:
        case Reason.NOT_LISTED:
            return f"`{backend}` is not listed", f'add "{backend}" to `backends` of `{op.name}`, or {elsewhere}'
        case Reason.UNSUPPORTED:
            return f"`{backend}` is left out on purpose: {op.unsupported[backend]}", elsewhere
        case Reason.NO_KERNEL:
            remedy = f'write one under `@{op.name}.kernel("{backend}")`, or give `{op.name}` a body'
            return f"`{backend}` is listed without a kernel", remedy
        case _:
            return _why_gated_off(op, hole, f"`{backend}`")


def _why_no_derivative(op: DeclaredOp, hole: Hole) -> tuple[str, str]:
    rule = f"`@{op.name}.vjp` over `def _({', '.join(('grad', 'out', *op.parameters.names))})`"
    match hole.reason:
        case Reason.AUTODIFF_NOT_LISTED:
            return "the op is declared without a derivative", f"declare `autodiff=True` and write {rule}"
        case Reason.NO_VJP:
            return "no derivative rule was registered", f"write {rule}"
        case _:
            return _why_gated_off(op, hole, "the derivative")


def _why_gated_off(op: DeclaredOp, hole: Hole, arm: str) -> tuple[str, str]:
    assert hole.feature is not None, "only a gate with a feature can be shut"
    late = is_enabled(hole.feature)
    when = "was enabled only after" if late else "was off when"
    why = f"{arm} is behind feature `{hole.feature}`, which {when} the op was declared"
    remedy = f'call `enable_features("{hole.feature}")` before {op.source} runs'
    return why, remedy if late else f"set OPCHECK_FEATURES={hole.feature}, or {remedy}"


def _declared(op: DeclaredOp) -> str:
    arms = [_with_gate(f"`{backend}`", gate) for backend, gate in op.arms.items()]
    derivative = "no autodiff" if op.autodiff is None else _with_gate("autodiff", op.autodiff)
    return ", ".join([*arms, derivative])


def _with_gate(word: str, gate: Gate) -> str:
    return f"{word} (feature `{gate.feature}`)" if gate.feature else word


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _conversion(found: str, backend: str, parameter: str) -> str:
    return f"cupy.asnumpy({parameter})" if found == "cupy" else f"{backend}.asarray({parameter})"

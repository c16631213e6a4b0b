"""`gradcheck`: a derivative rule against central differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from .arrays import as_array, backend_of, namespace_of
from .backward import backward, check_recorded
from .declared import DeclaredOp
from .errors import GradientError, TrackedError
from .grad_mode import no_grad
from .tracked import Tracked, track


def gradcheck(
    function: Callable[..., Any], *inputs: Any, step: float | None = None, tolerance: float | None = None
) -> bool:
    """Check the gradients of `function(*inputs)` for every float array among `inputs`; True if all are right.

    The result is weighed to one number s by distinct positive weights. Each element x of each float array is moved by
    h = `step` * max(1, |x|), and (s(x + h) - s(x - h)) / 2h must agree with the gradient to within
    `tolerance` * max(1, |difference quotient|). The error of the quotient is of the order h^2 by Taylor's theorem and
    eps / h by rounding, least at h = eps^(1/3), the default of `step`; `tolerance` is 100 * sqrt(eps) by default, with
    eps the machine epsilon of the array's dtype. Costs two calls an element: use small arrays.

    Raises GradientError, which names the input and the element, if one is wrong.
    """
    arguments = [track(value) if _is_float_array(value) else value for value in inputs]
    leaves = [(i, argument) for i, argument in enumerate(arguments) if isinstance(argument, Tracked)]
    if not leaves:
        raise TrackedError("gradcheck() needs a float array among its inputs")
    out = check_recorded(function(*arguments))
    weights = _weights(out.value)
    backward(out, weights)
    for position, leaf in leaves:
        weighed = partial(_weighed, function, inputs, position, weights)
        _compare(leaf, _central_differences(weighed, leaf.value, step), tolerance, _label(function, position))
    return True


def _is_float_array(value: Any) -> bool:
    return backend_of(value) is not None and value.dtype.kind == "f"


def _weights(value: Any) -> Any:
    return namespace_of(value).linspace(0.5, 1.5, value.size).reshape(value.shape)


def _weighed(function: Callable[..., Any], inputs: Sequence[Any], position: int, weights: Any, array: Any) -> float:
    """Sum up the weighed result of the function with `array` in place of the input at `position`."""
    with no_grad():
        out = function(*inputs[:position], array, *inputs[position + 1 :])
    return float((as_array(out, weights).astype("float64") * weights).sum())


def _central_differences(weighed: Callable[[Any], float], array: Any, step: float | None) -> list[float]:
    moved = namespace_of(array).array(array, copy=True, order="C")
    elements = moved.reshape(-1)
    return [_difference(weighed, moved, elements, i, step) for i in range(elements.size)]


def _difference(weighed: Callable[[Any], float], moved: Any, elements: Any, index: int, step: float | None) -> float:
    """Give the difference quotient of one element of `moved`, of which `elements` is a flat view."""
    here = float(elements[index])
    h = (step or _epsilon(moved) ** (1 / 3)) * max(1.0, abs(here))
    elements[index] = here + h
    above, high = float(elements[index]), weighed(moved)
    elements[index] = here - h
    below, low = float(elements[index]), weighed(moved)
    elements[index] = here
    return (high - low) / (above - below)


def _compare(leaf: Tracked, expected: list[float], tolerance: float | None, label: str) -> None:
    allowed = tolerance or 100 * _epsilon(leaf.value) ** 0.5
    given = [0.0] * len(expected) if leaf.grad is None else leaf.grad.reshape(-1).tolist()
    for i, (mine, numeric) in enumerate(zip(given, expected, strict=True)):
        if not abs(mine - numeric) <= allowed * max(1.0, abs(numeric)):
            raise GradientError(
                f"wrong gradient of {label}, element {i} of shape {leaf.value.shape} read in C order: the rule gives"
                f" {mine:.6g}, central differences {numeric:.6g}"
            )


def _epsilon(array: Any) -> float:
    return float(namespace_of(array).finfo(array.dtype).eps)


def _label(function: Callable[..., Any], position: int) -> str:
    op = getattr(function, "__opcheck__", None)
    if isinstance(op, DeclaredOp):
        return f"custom op `{op.name}` for `{op.parameters.names[position]}`"
    return f"`{getattr(function, '__name__', function)}` for input {position}"

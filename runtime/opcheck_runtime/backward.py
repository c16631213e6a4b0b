"""`backward`: gradients sent from a tracked result to the values it was computed from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, cast

from .arrays import as_array, backend_of, namespace_of, type_name_of
from .declared import DeclaredOp
from .errors import GradientError, TrackedError
from .tracked import Tracked


def backward(out: Tracked, grad: Any = None) -> None:
    """Add the gradient of `out` to `.grad` of every value that was passed to `track` and led to it.

    `grad` is an array of the shape of `out`: the gradient of whatever is wanted with respect to `out`. It may be left
    out for a single element, where it is 1. Each gradient has the shape, dtype and backend of its value; a second call
    adds to the first, so set `.grad` to None in between.

    Raises TrackedError if `out` was not recorded or `grad` is tracked, GradientError if `grad` or what a derivative
    rule returns does not fit.
    """
    gradients = {id(check_recorded(out)): _seed(out, grad)}
    for node in _results_first(out):
        gradient = gradients.pop(id(node), None)
        if gradient is None:  # every rule on the way here gave None
            continue
        if node.op is None:
            # A rule may hand one array to several inputs, so that what is kept has to be a copy.
            node.grad = gradient.copy() if node.grad is None else _sum(node.grad, gradient)
            continue
        for parent, part in _pulled_back(node.op, node, gradient):
            earlier = gradients.get(id(parent))
            gradients[id(parent)] = part if earlier is None else _sum(earlier, part)


def _results_first(out: Tracked) -> Iterator[Tracked]:
    """Walk from `out` to what it was computed from, each value after everything computed from it (Kahn, 1962)."""
    uses: Counter[int] = Counter()
    pending = [out]
    while pending:
        for parent in _tracked(pending.pop()):
            uses[id(parent)] += 1
            if uses[id(parent)] == 1:
                pending.append(parent)
    ready = [out]
    while ready:
        node = ready.pop()
        yield node
        for parent in _tracked(node):
            uses[id(parent)] -= 1
            if not uses[id(parent)]:
                ready.append(parent)


def _tracked(node: Tracked) -> list[Tracked]:
    return [parent for parent in node.parents if parent is not None]


def _pulled_back(op: DeclaredOp, node: Tracked, gradient: Any) -> Iterator[tuple[Tracked, Any]]:
    """Apply the derivative rule of the call that made `node`: its tracked inputs, each with its part."""
    assert op.vjp is not None, "an op without a rule records nothing"
    returned: object = op.vjp(gradient, node.value, *node.args)
    names = [op.parameters.names[i] for i in op.parameters.trackable]
    parts = tuple(cast("Iterable[Any]", returned)) if isinstance(returned, tuple | list) else (returned,)
    if len(parts) != len(names):
        raise GradientError(
            f"the derivative rule of custom op `{op.name}` returned {len(parts)} gradients, but it has {len(names)}"
            f" float array inputs ({', '.join(names)}); return one gradient or None for each",
            op=op.name,
        )
    for name, parent, part in zip(names, node.parents, parts, strict=True):
        if parent is not None and part is not None:
            yield parent, _fitted(part, parent.value, f"of custom op `{op.name}` for `{name}`", op.name)


def check_recorded(out: Any) -> Tracked:
    """Give `out` back; raises TrackedError if it is no tracked value."""
    if not isinstance(out, Tracked):
        raise TrackedError(
            f"there is nothing to differentiate in a `{type_name_of(out)}`: no input of the call was tracked, or"
            " it was made inside no_grad()"
        )
    return out


def _seed(out: Tracked, grad: Any) -> Any:
    if grad is not None:
        return _fitted(grad, out.value, "passed to backward()", None)
    if out.value.size != 1:
        raise GradientError(
            f"backward() needs `grad` for a result of shape {out.value.shape}; only for one element it is 1"
        )
    return namespace_of(out.value).ones_like(out.value)


def _fitted(gradient: Any, value: Any, which: str, op: str | None) -> Any:
    """Check a gradient against the value it is for, and give it the value's dtype."""
    if isinstance(gradient, Tracked):
        raise TrackedError(f"the gradient {which} is tracked; higher derivatives are not supported", op=op)
    gradient = as_array(gradient, value)
    if backend_of(gradient) != backend_of(value):
        raise GradientError(
            f"the gradient {which} is a `{type_name_of(gradient)}`, for a `{type_name_of(value)}`", op=op
        )
    if gradient.shape != value.shape:
        raise GradientError(
            f"the gradient {which} has shape {gradient.shape}, for a value of shape {value.shape}; where an input was"
            " broadcast, sum over the axes it was repeated along",
            op=op,
        )
    if gradient.dtype.kind not in "fiub":
        raise GradientError(f"the gradient {which} has dtype {gradient.dtype}, for a real value", op=op)
    return gradient if gradient.dtype == value.dtype else gradient.astype(value.dtype)


def _sum(first: Any, second: Any) -> Any:
    return as_array(first + second, first)

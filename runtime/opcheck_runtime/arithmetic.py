"""The ops behind `+`, `-`, `*`, `/` and unary minus of tracked values.

They broadcast as NumPy does, so their rules sum a gradient over the axes along which its input was repeated: the
transpose of repeating is summing.
"""

from __future__ import annotations

from typing import Any, Final

from .arrays import FloatArray
from .declare import Op, op
from .spec import BACKENDS


@op(backends=BACKENDS, autodiff=True)
def add(x: FloatArray, y: FloatArray) -> FloatArray:
    """x + y, elementwise."""
    return x + y


@add.vjp
def _(grad: Any, _out: Any, x: Any, y: Any) -> tuple[Any, Any]:
    return _sum_to(x, grad), _sum_to(y, grad)


@op(backends=BACKENDS, autodiff=True)
def subtract(x: FloatArray, y: FloatArray) -> FloatArray:
    """x - y, elementwise."""
    return x - y


@subtract.vjp
def _(grad: Any, _out: Any, x: Any, y: Any) -> tuple[Any, Any]:
    return _sum_to(x, grad), _sum_to(y, -grad)


@op(backends=BACKENDS, autodiff=True)
def multiply(x: FloatArray, y: FloatArray) -> FloatArray:
    """x * y, elementwise."""
    return x * y


@multiply.vjp
def _(grad: Any, _out: Any, x: Any, y: Any) -> tuple[Any, Any]:
    return _sum_to(x, grad * y), _sum_to(y, grad * x)


@op(backends=BACKENDS, autodiff=True)
def divide(x: FloatArray, y: FloatArray) -> FloatArray:
    """x / y, elementwise."""
    return x / y


@divide.vjp
def _(grad: Any, out: Any, x: Any, y: Any) -> tuple[Any, Any]:
    return _sum_to(x, grad / y), _sum_to(y, -grad * out / y)


@op(backends=BACKENDS, autodiff=True)
def negative(x: FloatArray) -> FloatArray:
    """-x, elementwise."""
    return -x


@negative.vjp
def _(grad: Any, _out: Any, _x: Any) -> Any:
    return -grad


def _sum_to(operand: Any, grad: Any) -> Any:
    """Sum `grad` over the axes along which `operand` was repeated, to its shape; None for a Python scalar."""
    if not hasattr(operand, "shape"):
        return None
    added = grad.ndim - operand.ndim
    stretched = [i + added for i, size in enumerate(operand.shape) if size != grad.shape[i + added]]
    axes = (*range(added), *stretched)
    return grad.sum(axis=axes).reshape(operand.shape) if axes else grad


ARITHMETIC: Final[dict[str, Op[..., Any]]] = {
    "add": add,
    "subtract": subtract,
    "multiply": multiply,
    "divide": divide,
    "true_divide": divide,
    "negative": negative,
}
"""The ops by the names that NumPy's and CuPy's universal functions have for the same."""

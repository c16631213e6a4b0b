"""Tracked values: arrays that remember the calls they came from, so that gradients can be sent back along them."""

from __future__ import annotations

import sys
from typing import Any, NoReturn, final

from .arithmetic import ARITHMETIC, add, divide, multiply, negative, subtract
from .arrays import as_array, backend_of, is_numpy_scalar, type_name_of
from .declared import Callee, DeclaredOp
from .dispatch import dispatch, find
from .errors import AutodiffNotSupportedError, TrackedError
from .grad_mode import is_recording
from .messages import autodiff_not_supported, misplaced
from .refusal import refuse, refuse_operators
from .route import Hole, derivative_hole


@final
@refuse_operators
class Tracked:
    """A float array under differentiation; made by `track`, and by every call of an op that takes one.

    `value` is the array. `grad` is None until `backward` reaches a value made by `track`: then it is the sum of the
    gradients sent to it, an array of the value's shape, dtype and backend. The other attributes are the call that
    made the value: its op, the arguments by position, and of its float array inputs the tracked ones.
    """

    __slots__ = ("args", "grad", "op", "parents", "value")

    def __init__(
        self,
        value: Any,
        op: DeclaredOp | None = None,
        args: list[Any] | tuple[()] = (),
        parents: tuple[Tracked | None, ...] = (),
    ) -> None:
        self.value = value
        self.grad: Any = None
        self.op = op
        self.args = args
        self.parents = parents

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"Tracked({self.value!r})"

    @staticmethod
    def __op_recorder__(op: DeclaredOp) -> Callee:
        """Give what a call of `op` with a tracked input reaches."""
        return _recorder(op)

    def __add__(self, other: Any) -> Any:
        return add(self, other)

    def __radd__(self, other: Any) -> Any:
        return add(other, self)

    def __sub__(self, other: Any) -> Any:
        return subtract(self, other)

    def __rsub__(self, other: Any) -> Any:
        return subtract(other, self)

    def __mul__(self, other: Any) -> Any:
        return multiply(self, other)

    def __rmul__(self, other: Any) -> Any:
        return multiply(other, self)

    def __truediv__(self, other: Any) -> Any:
        return divide(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return divide(other, self)

    def __neg__(self) -> Any:
        return negative(self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Do what an array on the left of an operator asks for, and NumPy's functions of the same name."""
        function = ARITHMETIC.get(ufunc.__name__)
        if function is None or method != "__call__" or options:
            refuse(f"`{ufunc.__name__}`")
        return function(*inputs)

    def __array_function__(self, function: Any, *_: Any) -> NoReturn:
        """Refuse NumPy's functions."""
        refuse(f"`{function.__name__}`")

    def __cupy_override_elementwise_kernel__(self, kernel: Any, *inputs: Any, **options: Any) -> Any:
        """Do what CuPy's functions of these names ask for, and refuse its others."""
        function = ARITHMETIC.get(kernel.name.removeprefix("cupy_"))
        if function is None or options:
            refuse(f"`{kernel.name}`")
        return function(*inputs)


def track(array: Any) -> Tracked:
    """Wrap a float array of any backend and shape, so that calls of ops with it are recorded for `backward`.

    The array is not copied: change it in place between a call and its `backward`, and the gradient is wrong. A NumPy
    scalar, which is what NumPy makes of 0-d results, becomes a 0-d array. Raises TrackedError for anything else but a
    float array, and for `numpy.matrix`, whose `*` is not elementwise.
    """
    if isinstance(array, Tracked):
        raise TrackedError("the value is tracked already; higher derivatives are not supported")
    if is_numpy_scalar(array):
        array = sys.modules["numpy"].asarray(array)
    name = type_name_of(array)
    if backend_of(array) is None or name.startswith("numpy.matrix"):
        raise TrackedError(f"only float arrays can be tracked, not a `{name}`; numpy.asarray makes one")
    if array.dtype.kind != "f":
        raise TrackedError(f"only float arrays can be tracked, not one of dtype {array.dtype}")
    return Tracked(array)


def _recorder(op: DeclaredOp) -> Callee:
    """Make what a tracked call of `op` reaches, as `op` is registered now: backend first, then derivative."""
    names = op.parameters.names
    trackable = op.parameters.trackable
    others = [i for i in range(len(names)) if i not in trackable]
    hole = derivative_hole(op.declaration)

    def record(*args: Any) -> Any:
        values = [arg.value if type(arg) is Tracked else arg for arg in args]
        if not is_recording():
            return dispatch(op, *values)
        callee = find(op, values)
        for i in others:
            if type(args[i]) is Tracked:
                raise misplaced(op, names[i])
        parents = tuple([args[i] if type(args[i]) is Tracked else None for i in trackable])
        if hole is not None:
            raise _without_derivative(op, hole, parents)
        value = callee(*values)
        if backend_of(value) is None or value.dtype.kind != "f":
            value = _as_result(op, value, parents)
        return Tracked(value, op, values, parents)

    return record


def _without_derivative(op: DeclaredOp, hole: Hole, parents: tuple[Tracked | None, ...]) -> AutodiffNotSupportedError:
    position, first = _first_tracked(op, parents)
    return autodiff_not_supported(op, hole, first.value, op.parameters.names[position])


def _as_result(op: DeclaredOp, value: Any, parents: tuple[Tracked | None, ...]) -> Any:
    """Make a float array of a kernel's result that is none; raises TrackedError if that cannot be."""
    array = as_array(value, _first_tracked(op, parents)[1].value)
    if backend_of(array) is not None and array.dtype.kind == "f":
        return array
    came = f"a `{type_name_of(value)}`" if backend_of(array) is None else f"an array of dtype {array.dtype}"
    raise TrackedError(
        f"custom op `{op.name}` gave {came}, but an op with a derivative gives one float array\n"
        "  to fix: give the op a single float result, or declare it without `autodiff` and pass `.value`",
        op=op.name,
    )


def _first_tracked(op: DeclaredOp, parents: tuple[Tracked | None, ...]) -> tuple[int, Tracked]:
    candidates = zip(op.parameters.trackable, parents, strict=True)
    return next((position, parent) for position, parent in candidates if parent is not None)

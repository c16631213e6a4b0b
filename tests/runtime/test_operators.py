"""Operators and functions on tracked values: a few work by ops of the runtime's own, the others refuse with advice."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from opcheck_runtime import MixedBackendsError, TrackedError, no_grad, track

ARITHMETIC: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("+", operator.add),
    ("-", operator.sub),
    ("*", operator.mul),
    ("/", operator.truediv),
]


@pytest.mark.parametrize(("symbol", "function"), ARITHMETIC)
@pytest.mark.parametrize("other", ["scalar", "numpy scalar", "array", "tracked"])
def test_arithmetic_works_from_both_sides(
    symbol: str, function: Callable[[Any, Any], Any], other: str, xp: Any
) -> None:
    array = xp.asarray([2.0, 4.0])
    operand = {
        "scalar": 3.0,
        "numpy scalar": np.float64(3.0),
        "array": xp.asarray([3.0, 3.0]),
        "tracked": track(xp.asarray([3.0, 3.0])),
    }[other]
    plain = 3.0

    assert function(track(array), operand).value.tolist() == function(array, plain).tolist()
    assert function(operand, track(array)).value.tolist() == function(plain, array).tolist()


def test_unary_minus_works(xp: Any) -> None:
    assert (-track(xp.ones(2))).value.tolist() == [-1.0, -1.0]


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "true_divide"])
def test_universal_functions_of_the_same_name_work(name: str, xp: Any) -> None:
    function, array = getattr(xp, name), xp.asarray([2.0, 4.0])

    assert function(track(array), array).value.tolist() == function(array, array).tolist()
    assert function(array, track(array)).value.tolist() == function(array, array).tolist()


def test_arithmetic_with_another_backend_is_refused_as_by_any_op(cupy_array: Any) -> None:
    with pytest.raises(MixedBackendsError, match="custom op `multiply`"):
        track(np.ones(1)) * cupy_array


def test_arithmetic_inside_no_grad_gives_arrays(xp: Any) -> None:
    with no_grad():
        assert type(track(xp.ones(2)) * 2) is xp.ndarray


X: Any = track(np.ones(2))
REFUSED: dict[str, Callable[[], Any]] = {
    "**": lambda: X**2,
    "r**": lambda: 2**X,
    "@": lambda: X @ X,
    "ndarray @": lambda: np.ones(2) @ X,
    "//": lambda: X // 2,
    "%": lambda: X % 2,
    "divmod": lambda: divmod(X, 2),
    "abs": lambda: abs(X),
    "+x": lambda: +X,
    "==": lambda: X == X * 1,
    "!=": lambda: X != 1,
    "<": lambda: X < 1,
    "ndarray >=": lambda: np.ones(2) >= X,
    "bool": lambda: bool(X),
    "float": lambda: float(X),
    "int": lambda: int(X),
    "len": lambda: len(X),
    "iter": lambda: list(X),
    "in": lambda: 1.0 in X,
    "getitem": lambda: X[0],
    "index": lambda: [1, 2][X],
    "array index": lambda: np.ones(2)[X],
    "np.asarray": lambda: np.asarray(X),
    "np.array": lambda: np.array([X]),
    "np.exp": lambda: np.exp(X),
    "np.add.reduce": lambda: np.add.reduce(X),
    "in place": lambda: _in_place(np.ones(2)),
    "np.concatenate": lambda: np.concatenate([X, X]),
}


def _in_place(array: Any) -> None:
    array += X


def _assign() -> None:
    X[0] = 1


def _delete() -> None:
    del X[0]


REFUSED |= {"setitem": _assign, "delitem": _delete}


@pytest.mark.parametrize("attempt", REFUSED.values(), ids=REFUSED)
def test_what_has_no_derivative_is_refused_with_advice(attempt: Callable[[], Any]) -> None:
    with pytest.raises(TrackedError, match=r"would lose its gradient(.|\n)*declare an op(.|\n)*`\.value`"):
        attempt()


def test_the_attributes_of_an_array_are_not_there() -> None:
    with pytest.raises(AttributeError, match=r"no attribute `sum`: the array is `\.value`"):
        X.sum()


def test_tracked_values_can_be_keys() -> None:
    assert {X: 1}[X] == 1


class _Kernel:
    """A CuPy universal function, as far as CuPy shows one to an operand."""

    def __init__(self, name: str) -> None:
        self.name = name


def test_cupy_functions_are_answered_alike() -> None:
    override = X.__cupy_override_elementwise_kernel__

    assert override(_Kernel("cupy_add"), X, 1.0).value.tolist() == [2.0, 2.0]
    with pytest.raises(TrackedError, match="`cupy_exp` of a tracked value would lose"):
        override(_Kernel("cupy_exp"), X)
    with pytest.raises(TrackedError):
        override(_Kernel("cupy_add"), X, 1.0, out=np.ones(2))


def test_real_cupy_refuses_alike(cupy_array: Any) -> None:
    cupy = pytest.importorskip("cupy")
    x: Any = track(cupy_array)

    with pytest.raises(TrackedError):
        cupy.exp(x)
    with pytest.raises(TrackedError):
        cupy_array @ x
    with pytest.raises(TrackedError):
        bool(cupy_array > x)

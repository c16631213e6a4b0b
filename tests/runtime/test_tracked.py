"""What can be tracked, what a tracked call gives, and what tracked values refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.runtime.ops import total

from opcheck_runtime import (
    Array,
    FloatArray,
    IntArray,
    MixedBackendsError,
    Tracked,
    TrackedError,
    backward,
    op,
    track,
)


@op(backends=["numpy", "cupy"], autodiff=True)
def scaled_add(x: FloatArray, y: FloatArray | None, alpha: float = 1.0) -> FloatArray:
    return x if y is None else x + alpha * y


@scaled_add.vjp
def _(grad: Any, out: Any, x: Any, y: Any, alpha: float) -> tuple[Any, Any]:
    return grad, alpha * grad


@op(backends=["numpy", "cupy"], autodiff=True)
def take(x: Array, index: IntArray, note: str = "") -> Array:
    return x[index]


@take.vjp
def _(grad: Any, out: Any, x: Any, index: Any, note: str) -> Any:
    whole = x * 0
    whole[index] = grad
    return whole


def test_a_tracked_call_gives_a_tracked_result(xp: Any) -> None:
    out = scaled_add(track(xp.ones(2)), xp.ones(2), 2.0)

    assert isinstance(out, Tracked)
    assert type(out.value) is xp.ndarray
    assert out.value.tolist() == [3.0, 3.0]
    assert out.grad is None


def test_untracked_calls_give_plain_arrays(xp: Any) -> None:
    assert type(scaled_add(xp.ones(2), xp.ones(2))) is xp.ndarray


@pytest.mark.parametrize("tracked", [(0,), (1,), (0, 1)])
def test_tracked_and_untracked_inputs_mix(tracked: tuple[int, ...], xp: Any) -> None:
    x, y = (track(xp.ones(2)) if i in tracked else xp.ones(2) for i in range(2))
    backward(scaled_add(x, y, alpha=3.0), xp.ones(2))

    gradients = [value.grad.tolist() for value in (x, y) if isinstance(value, Tracked)]
    assert gradients == [[[1.0, 1.0], [3.0, 3.0]][i] for i in tracked]


def test_scalars_and_none_stay_what_they_are_beside_tracked_values(xp: Any) -> None:
    assert scaled_add(track(xp.ones(1)), None).value.tolist() == [1.0]
    assert scaled_add(track(xp.ones(1)), 2.0).value.tolist() == [3.0]
    assert scaled_add(2.0, track(xp.ones(1))).value.tolist() == [3.0]


def test_keywords_work_for_tracked_calls(xp: Any) -> None:
    assert scaled_add(y=track(xp.ones(1)), x=xp.ones(1)).value.tolist() == [2.0]


def test_an_input_of_any_dtype_may_be_tracked_where_the_parameter_says_array(xp: Any) -> None:
    x = track(xp.arange(3.0))
    backward(take(x, xp.asarray([2, 0])), xp.asarray([5.0, 7.0]))

    assert x.grad.tolist() == [7.0, 0.0, 5.0]


@pytest.mark.parametrize("misplaced", ["index", "note"])
def test_a_tracked_value_has_no_place_elsewhere(misplaced: str, xp: Any) -> None:
    arguments = {"x": track(xp.ones(2)), "index": xp.asarray([0]), misplaced: track(xp.ones(1))}

    with pytest.raises(TrackedError, match=f"Parameter `{misplaced}` of custom op `take` cannot be tracked"):
        take(**arguments)


def test_an_index_that_is_tracked_alone_is_refused_as_well(xp: Any) -> None:
    with pytest.raises(TrackedError, match="cannot be tracked: it takes int arrays"):
        take(xp.ones(2), track(xp.ones(1)))


def test_mixed_backends_are_found_behind_the_wrapper(arrays: dict[str, Callable[[], Any]]) -> None:
    with pytest.raises(MixedBackendsError) as caught:
        scaled_add(track(np.ones(1)), arrays["cupy"]())

    assert (caught.value.backend, caught.value.found) == ("numpy", "cupy")


def test_a_scalar_result_goes_on_as_a_0d_array_on_every_backend(xp: Any) -> None:
    x = track(xp.ones(3))
    loss = scaled_add(total(x), total(x))

    assert (type(loss.value), loss.value.shape) == (xp.ndarray, ())
    backward(loss)
    assert x.grad.tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("result", "came"),
    [
        (lambda x: (x, x), "a `tuple`"),
        (lambda x: x > 0, "an array of dtype bool"),
        (lambda x: (x > 0).sum(), "an array of dtype int64"),
        (lambda x: None, "a `NoneType`"),
        (track, "a `opcheck_runtime.tracked.Tracked`"),
    ],
)
def test_a_result_that_cannot_be_tracked_is_refused(result: Any, came: str, xp: Any) -> None:
    @op(backends=["numpy", "cupy"], autodiff=True)
    def odd(x: FloatArray) -> Any:
        return result(x)

    odd.vjp(lambda grad, out, x: grad)

    with pytest.raises(TrackedError, match=f"custom op `odd` gave {came}, but an op with a derivative gives one"):
        odd(track(xp.ones(2)))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_float_arrays_of_any_precision_can_be_tracked(dtype: str, xp: Any) -> None:
    x = xp.ones(2, dtype=dtype)

    assert track(x).value is x


def test_a_numpy_scalar_becomes_a_0d_array() -> None:
    x = track(np.float32(3))

    assert (type(x.value), x.value.shape, x.value.dtype) == (np.ndarray, (), np.float32)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1.0, "not a `float`; numpy.asarray makes one"),
        (np.int64(1), "not one of dtype int64"),
        ([1.0], "not a `list`"),
        (None, "not a `NoneType`"),
        (np.arange(2), "not one of dtype int64"),
        (np.ones(2, dtype=bool), "not one of dtype bool"),
        (np.ones(2, dtype=complex), "not one of dtype complex128"),
    ],
)
def test_only_float_arrays_can_be_tracked(value: Any, message: str) -> None:
    with pytest.raises(TrackedError, match=f"only float arrays can be tracked, {message}"):
        track(value)


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_a_matrix_whose_product_is_not_elementwise_is_refused() -> None:
    with pytest.raises(TrackedError, match=r"not a `numpy\.matrix"):
        track(np.matrix([[1.0]]))


def test_tracking_twice_is_refused() -> None:
    with pytest.raises(TrackedError, match="tracked already; higher derivatives are not supported"):
        track(track(np.ones(1)))


def test_it_shows_its_array() -> None:
    assert repr(track(np.ones(2))) == "Tracked(array([1., 1.]))"

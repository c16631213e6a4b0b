"""Gradients: where they go, what they are, and what a wrong rule is told."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
from tests.runtime.ops import total

from opcheck_runtime import (
    FloatArray,
    GradientError,
    IntArray,
    TrackedError,
    backward,
    no_grad,
    op,
    track,
)


@pytest.mark.smoke
def test_gradients_of_a_product(xp: Any) -> None:
    x, y = track(xp.asarray([1.0, 2.0])), track(xp.asarray([3.0, 5.0]))
    backward(total(x * y))

    assert x.grad.tolist() == [3.0, 5.0]
    assert y.grad.tolist() == [1.0, 2.0]


def test_a_value_used_twice_gets_the_sum(xp: Any) -> None:
    x = track(xp.asarray([3.0]))
    backward(x * x * x)

    assert x.grad.tolist() == [27.0]


def test_every_path_is_walked_once_however_many_there_are(xp: Any) -> None:
    x = track(xp.ones(1))
    out = x
    for _ in range(60):  # 2 ** 60 paths
        out = out + out
    backward(out)

    assert x.grad.tolist() == [2.0**60]


def test_gradients_add_up_over_calls_until_they_are_reset(xp: Any) -> None:
    x = track(xp.ones(1))
    out = 2 * x
    backward(out)
    backward(out)
    assert x.grad.tolist() == [4.0]

    x.grad = None
    backward(out)
    assert x.grad.tolist() == [2.0]


def test_gradients_share_no_memory(xp: Any) -> None:
    x, y, seed = track(xp.ones(1)), track(xp.ones(1)), xp.ones(1)
    backward(x + y, seed)
    x.grad *= 0.0

    assert (y.grad.tolist(), seed.tolist()) == ([1.0], [1.0])


def test_only_values_made_by_track_keep_a_gradient(xp: Any) -> None:
    x = track(xp.ones(1))
    inner = x * 2
    backward(inner * 3)

    assert inner.grad is None


def test_the_gradient_of_a_value_itself_is_one(xp: Any) -> None:
    x = track(xp.asarray([[7.0]]))
    backward(x)

    assert x.grad.tolist() == [[1.0]]


def test_broadcast_inputs_get_the_sum_over_their_repetitions(xp: Any) -> None:
    inputs = [track(xp.ones(shape)) for shape in ((2, 3), (3,), (2, 1), ())]
    out = inputs[0] + inputs[1] * inputs[2] - inputs[3]
    backward(out, xp.ones((2, 3)))

    assert [x.grad.shape for x in inputs] == [(2, 3), (3,), (2, 1), ()]
    assert [float(x.grad.sum()) for x in inputs] == [6.0, 6.0, 6.0, -6.0]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_gradient_has_the_dtype_shape_and_type_of_its_value(dtype: str, xp: Any) -> None:
    x, y = track(xp.ones((), dtype=dtype)), track(xp.ones(3))
    backward(x * y + x, xp.ones(3))

    assert (type(x.grad), x.grad.dtype, x.grad.shape) == (xp.ndarray, xp.dtype(dtype), ())
    assert y.grad.dtype == xp.float64


def test_ten_thousand_chained_calls_need_no_deep_stack(xp: Any) -> None:
    x = track(xp.ones(1))
    out = x
    for _ in range(10_000):
        out = out + 1.0
    backward(out)
    assert x.grad.tolist() == [1.0]

    del out
    gc.collect()


def test_without_a_gradient_the_result_has_one_element(xp: Any) -> None:
    with pytest.raises(GradientError, match=r"needs `grad` for a result of shape \(2,\)"):
        backward(track(xp.ones(2)) * 2)


@pytest.mark.parametrize("grad", [2, 2.0, np.float64(2)])
def test_a_number_will_do_for_a_0d_result(grad: Any, xp: Any) -> None:
    x = track(xp.ones(3))
    backward(total(x), grad)

    assert x.grad.tolist() == [2.0, 2.0, 2.0]


def test_what_was_not_recorded_has_no_gradient(xp: Any) -> None:
    with no_grad():
        out = track(xp.ones(1)) * 2

    with pytest.raises(TrackedError, match=r"nothing to differentiate in a `\w+.ndarray`: .* inside no_grad"):
        backward(out)


def test_higher_derivatives_are_refused(xp: Any) -> None:
    with pytest.raises(TrackedError, match=r"passed to backward\(\) is tracked; higher derivatives are not"):
        backward(track(xp.ones(1)) * 2, track(xp.ones(1)))


def _with_rule(rule: Any) -> Any:
    @op(backends=["numpy", "cupy"], autodiff=True)
    def f(x: FloatArray, y: FloatArray, index: IntArray | None = None) -> FloatArray:
        return x + y

    f.vjp(rule)
    return f


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda grad: grad, "returned 1 gradients, but it has 2 float array inputs (x, y); return one gradient or"),
        (lambda grad: (grad, grad, None), "returned 3 gradients"),
        (lambda grad: (grad, "words"), "for `y` is a `str`, for a "),
        (lambda grad: (grad[:1], grad), "for `x` has shape (1,), for a value of shape (2,); where an input was"),
        (lambda grad: (grad, 1.0), "for `y` has shape (), for a value of shape (2,)"),
        (lambda grad: (grad * 1j, grad), "for `x` has dtype complex128, for a real value"),
    ],
)
def test_a_wrong_rule_is_told_what_is_wrong(returned: Any, message: str, xp: Any) -> None:
    f = _with_rule(lambda grad, *_: returned(grad))

    with pytest.raises(GradientError) as caught:
        backward(f(track(xp.ones(2)), track(xp.ones(2))), xp.ones(2))
    assert message in str(caught.value)
    assert caught.value.op == "f"


def test_a_rule_that_returns_a_tracked_gradient_is_refused(xp: Any) -> None:
    f = _with_rule(lambda grad, *_: (track(grad), None))

    with pytest.raises(TrackedError, match="the gradient of custom op `f` for `x` is tracked"):
        backward(f(track(xp.ones(1)), xp.ones(1)))


def test_a_gradient_on_another_backend_is_refused(cupy_array: Any) -> None:
    f = _with_rule(lambda *_: (cupy_array, None))

    with pytest.raises(GradientError, match=r"for `x` is a `cupy.ndarray`, for a `numpy.ndarray`"):
        backward(f(track(np.ones(1)), np.ones(1)))


def test_none_means_no_gradient_and_ends_the_way_there(xp: Any) -> None:
    x, y = track(xp.ones(1)), track(xp.ones(1))
    backward(_with_rule(lambda grad, *_: (None, grad))(x * 2, y * 3))

    assert x.grad is None
    assert y.grad.tolist() == [3.0]


def test_what_is_returned_for_an_untracked_input_is_not_looked_at(xp: Any) -> None:
    x = track(xp.ones(1))
    backward(_with_rule(lambda grad, *_: [grad, "not even a gradient"])(x, xp.ones(1)))

    assert x.grad.tolist() == [1.0]


def test_a_gradient_of_whole_numbers_is_cast(xp: Any) -> None:
    x = track(xp.ones(1))
    backward(_with_rule(lambda grad, *_: (xp.ones(1, dtype=int), None))(x, xp.ones(1)))

    assert x.grad.dtype == xp.float64


def test_a_rule_sees_plain_values_by_position(xp: Any) -> None:
    seen: list[Any] = []

    @op(backends=["numpy", "cupy"], autodiff=True)
    def f(x: FloatArray, /, n: int = 2, *, name: str = "words") -> FloatArray:
        return n * x

    @f.vjp
    def _(grad: Any, out: Any, x: Any, n: int, name: str) -> Any:
        seen.extend([type(grad), out.tolist(), type(x), n, name])
        return n * grad

    backward(f(track(xp.ones(1))))

    assert seen == [xp.ndarray, [2.0], xp.ndarray, 2, "words"]


def test_a_rule_registered_after_a_failed_call_counts(xp: Any) -> None:
    @op(backends=["numpy", "cupy"], autodiff=True)
    def f(x: FloatArray) -> FloatArray:
        return x

    with pytest.raises(NotImplementedError):
        f(track(xp.ones(1)))
    f.vjp(lambda grad, out, x: grad)

    assert f(track(xp.ones(1))).value.tolist() == [1.0]

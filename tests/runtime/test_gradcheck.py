"""`gradcheck` accepts right rules and names what is wrong in others; rules compose as derivatives do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opcheck_runtime import FloatArray, GradientError, IntArray, TrackedError, gradcheck, op


def _declare(rule: Callable[..., Any]) -> Any:
    @op(backends=["numpy", "cupy"], autodiff=True)
    def f(x: FloatArray, y: FloatArray, power: int = 2) -> FloatArray:
        return x**power * y

    f.vjp(rule)
    return f


def _right(grad: Any, out: Any, x: Any, y: Any, power: int) -> tuple[Any, Any]:
    return grad * power * x ** (power - 1) * y, grad * x**power


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (0,)])
def test_a_right_rule_passes(shape: tuple[int, ...], xp: Any) -> None:
    x, y = xp.full(shape, 1.5), xp.full(shape, -0.7)

    assert gradcheck(_declare(_right), x, y)
    assert gradcheck(_declare(_right), x, y, 3)
    assert gradcheck(_declare(_right), y, 2.0)


def test_single_precision_has_its_own_step_and_tolerance(xp: Any) -> None:
    x = xp.asarray([0.5, 2.0, 30.0], dtype="float32")

    assert gradcheck(_declare(_right), x, x)


def test_inputs_are_left_as_they_are(xp: Any) -> None:
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]]).T
    gradcheck(_declare(_right), x, x)

    assert x.tolist() == [[1.0, 3.0], [2.0, 4.0]]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda grad, out, x, y, power: (grad * x * y, grad * x**power),
        lambda grad, out, x, y, power: (None, grad * x**power),
        lambda grad, out, x, y, power: (_right(1, out, x, y, power)[0], grad * x**power),
        lambda grad, out, x, y, power: (grad * float("nan"), grad * x**power),
    ],
    ids=["factor", "missing", "grad forgotten", "nan"],
)
def test_a_wrong_rule_is_found(wrong: Any, xp: Any) -> None:
    x = xp.asarray([0.8, 1.5])

    with pytest.raises(GradientError, match=r"wrong gradient of custom op `f` for `x`, element 0 of shape \(2,\)"):
        gradcheck(_declare(wrong), x, x)


def test_the_second_input_is_checked_too(xp: Any) -> None:
    x = xp.asarray([0.8, 1.5])

    with pytest.raises(GradientError, match="for `y`, element 0"):
        gradcheck(_declare(lambda grad, out, x, y, power: (_right(grad, out, x, y, power)[0], grad)), x, x)


def test_step_and_tolerance_can_be_given(xp: Any) -> None:
    x = xp.asarray([1.0])
    cubed = lambda v: v * v * v  # noqa: E731

    with pytest.raises(GradientError, match="wrong gradient of `<lambda>` for input 0"):
        gradcheck(cubed, x, step=0.5)
    assert gradcheck(cubed, x, step=0.5, tolerance=0.2)


def test_inputs_that_are_no_float_arrays_are_passed_on(xp: Any) -> None:
    @op(backends=["numpy", "cupy"], autodiff=True)
    def take(x: FloatArray, index: IntArray) -> FloatArray:
        return x[index]

    @take.vjp
    def _(grad: Any, out: Any, x: Any, index: Any) -> Any:
        whole = xp.zeros_like(x)
        whole[index] = grad
        return whole

    assert gradcheck(take, xp.arange(4.0), xp.asarray([3, 1]))


def test_there_must_be_something_to_check(xp: Any) -> None:
    with pytest.raises(TrackedError, match="needs a float array"):
        gradcheck(_declare(_right), 1.0, 2.0)
    with pytest.raises(TrackedError, match="nothing to differentiate"):
        gradcheck(lambda x: x.value, xp.ones(1))


Expression = Callable[[list[Any]], Any]
LEAVES = 3
FACTORS = st.floats(0.5, 2.0)


def _binary(left: Expression, symbol: str, right: Expression) -> Expression:
    functions: dict[str, Callable[[Any, Any], Any]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / (b * b + 1.0),
    }
    return lambda values: functions[symbol](left(values), right(values))


EXPRESSIONS: st.SearchStrategy[Expression] = st.recursive(
    st.integers(0, LEAVES - 1).map(lambda i: lambda values: values[i]),
    lambda inner: st.one_of(
        st.builds(_binary, inner, st.sampled_from("+-*/"), inner),
        st.builds(lambda f, c: lambda values: c * f(values) - c, inner, FACTORS),
        st.builds(lambda f, c: lambda values: c / (f(values) * f(values) + c), inner, FACTORS),
        inner.map(lambda f: lambda values: -f(values)),
    ),
    max_leaves=8,
)
SHAPES = st.lists(st.sampled_from([(), (1,), (3,), (2, 1), (2, 3)]), min_size=LEAVES, max_size=LEAVES)


@settings(max_examples=150, deadline=None)
@given(expression=EXPRESSIONS, shapes=SHAPES, seed=st.integers(0, 2**32 - 1))
def test_random_expressions_have_the_gradients_of_central_differences(
    expression: Expression, shapes: list[tuple[int, ...]], seed: int
) -> None:
    random = np.random.default_rng(seed)
    inputs = [random.uniform(-1.0, 1.0, shape) for shape in shapes]

    assert gradcheck(lambda *values: expression(list(values)) + 0.0 * sum(values[1:], values[0]), *inputs)

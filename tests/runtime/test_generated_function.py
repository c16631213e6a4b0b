"""The function that a caller sees: the declared one in all but what it runs."""

from __future__ import annotations

import functools
import inspect
import traceback
from typing import Any

import numpy as np
import pytest

from opcheck_runtime import FloatArray, op


def _declare(function: Any) -> Any:
    return op(backends=["numpy"])(function)


def test_it_looks_like_the_declared_function() -> None:
    marker = object()

    def declared(x: FloatArray, /, y: FloatArray, mode: object = marker, *, n: int = 1, m: int) -> Any:
        """Its documentation."""

    public = _declare(declared)

    assert inspect.signature(declared) == inspect.signature(public)
    assert _shape(inspect.signature(declared)) == _shape(inspect.signature(public, follow_wrapped=False))
    for attribute in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__"):
        assert getattr(declared, attribute) == getattr(public, attribute)
    assert public.__wrapped__ is declared


def _shape(signature: inspect.Signature) -> list[tuple[str, object, object]]:
    return [(p.name, p.kind, p.default) for p in signature.parameters.values()]


def test_positional_only_and_keyword_only_parameters_stay_so() -> None:
    @op(backends=["numpy"])
    def f(x: FloatArray, /, *, n: int) -> Any:
        return n

    assert f(np.ones(1), n=3) == 3
    with pytest.raises(TypeError, match=r"f\(\) takes 1 positional argument"):
        f(np.ones(1), 3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional-only"):
        f(x=np.ones(1), n=3)  # type: ignore[call-arg]


def test_defaults_keep_their_identity() -> None:
    marker = object()

    @op(backends=["numpy"])
    def f(x: FloatArray, mode: object = marker) -> object:
        return mode

    assert f(np.ones(1)) is marker


def test_parameters_may_have_the_names_the_code_uses() -> None:
    @op(backends=["numpy"])
    def f(type: FloatArray, KeyError: FloatArray, _op_table: int, _op_kernel: int, __op_x: int) -> Any:
        return _op_table, _op_kernel, __op_x

    assert f(np.ones(1), np.ones(1), 1, 2, 3) == (1, 2, 3)


def test_a_missing_argument_is_reported_as_for_any_function() -> None:
    @op(backends=["numpy"])
    def scaled(x: FloatArray, alpha: float) -> Any: ...

    with pytest.raises(TypeError, match=r"scaled\(\) missing 1 required positional argument: 'alpha'"):
        scaled(np.ones(1))  # type: ignore[call-arg]


def test_a_traceback_shows_the_generated_line() -> None:
    @op(backends=["numpy"])
    def failing(x: FloatArray) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as caught:
        failing(np.ones(1))
    lines = "".join(traceback.format_exception(caught.value))
    assert "failing>" in lines
    assert "return _op_kernel(x)" in lines


def test_a_dispatch_error_does_not_mention_the_empty_table() -> None:
    @op(backends=["numpy"])
    def f(x: FloatArray) -> Any: ...

    with pytest.raises(NotImplementedError) as caught:
        f(np.ones(1))
    assert caught.value.__context__ is None


def test_a_decorated_function_can_be_declared() -> None:
    def doubling(function: Any) -> Any:
        @functools.wraps(function)
        def wrapper(*args: Any) -> Any:
            return 2 * function(*args)

        return wrapper

    @op(backends=["numpy"])
    @doubling
    def f(x: FloatArray, n: int = 3) -> Any:
        return n

    assert f(np.ones(1)) == 6

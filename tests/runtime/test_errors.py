"""Errors say what came, what is declared, why that has no kernel and what to write; they survive pickling."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import opcheck_runtime
from opcheck_runtime import (
    AutodiffNotSupportedError,
    BackendNotSupportedError,
    DeclarationError,
    FloatArray,
    MixedBackendsError,
    NoRoutingInputError,
    OpError,
    enable_features,
    gated,
    op,
    track,
)
from opcheck_runtime.route import Reason


def _fails(**declaration: Any) -> Any:
    @op(**declaration)
    def scale(x: FloatArray, alpha: float = 2.0) -> Any: ...

    return scale


def _error(function: Any, argument: Any) -> Any:
    with pytest.raises((BackendNotSupportedError, AutodiffNotSupportedError)) as caught:
        function(argument)
    return caught.value


BEGIN = "Backend not supported for custom op `scale`: parameter `x` holds a `numpy` array, but "


@pytest.mark.parametrize(
    ("declaration", "why", "remedy", "reason"),
    [
        (
            {"backends": ["cupy"]},
            "`numpy` is not listed",
            'add "numpy" to `backends` of `scale`, or convert the input to a declared backend (`cupy`)',
            Reason.NOT_LISTED,
        ),
        (
            {"backends": ["cupy"], "unsupported": {"numpy": "needs atomics"}},
            "`numpy` is left out on purpose: needs atomics",
            "convert the input to a declared backend (`cupy`)",
            Reason.UNSUPPORTED,
        ),
        (
            {"backends": [gated("numpy", feature="fast")]},
            "`numpy` is behind feature `fast`, which was off when the op was declared",
            'set OPCHECK_FEATURES=fast, or call `enable_features("fast")` before ',
            Reason.FEATURE_OFF,
        ),
        (
            {"backends": ["numpy"]},
            "`numpy` is listed without a kernel",
            'write one under `@scale.kernel("numpy")`, or give `scale` a body',
            Reason.NO_KERNEL,
        ),
    ],
)
def test_a_missing_backend(declaration: dict[str, Any], why: str, remedy: str, reason: Reason) -> None:
    error = _error(_fails(**declaration), np.ones(1))

    headline, declared, fix = str(error).split("\n")
    assert f"{BEGIN}{why}" == headline
    assert declared.startswith("  declared: ")
    assert "test_errors.py:" in declared
    assert fix.startswith(f"  to fix: {remedy}")
    assert error.reason is reason


def test_the_declaration_is_given_in_full() -> None:
    error = _error(
        _fails(backends=["cupy", gated("numpy", feature="fast")], autodiff=gated(feature="train")), np.ones(1)
    )

    assert "declared: `cupy`, `numpy` (feature `fast`), autodiff (feature `train`)" in str(error)
    assert error.declared == ("cupy", "numpy")
    assert "no autodiff" in str(_error(_fails(backends=["cupy"]), np.ones(1)))


RULE = "`@scale.vjp` over `def _(grad, out, x, alpha)`"


@pytest.mark.parametrize(
    ("autodiff", "why", "remedy", "reason"),
    [
        (
            False,
            "the op is declared without a derivative",
            f"declare `autodiff=True` and write {RULE}",
            Reason.AUTODIFF_NOT_LISTED,
        ),
        (True, "no derivative rule was registered", f"write {RULE}", Reason.NO_VJP),
        (
            gated(feature="train"),
            "the derivative is behind feature `train`, which was off when the op was declared",
            "set OPCHECK_FEATURES=train, or call `enable_features(",
            Reason.AUTODIFF_FEATURE_OFF,
        ),
    ],
)
def test_a_missing_derivative(autodiff: Any, why: str, remedy: str, reason: Reason) -> None:
    scale = _fails(backends=["numpy"], autodiff=autodiff)
    scale.kernel("numpy")(lambda x, alpha: x)

    error = _error(scale, track(np.ones(1)))

    headline, _, fix = str(error).split("\n")
    assert f"Autodiff not supported for custom op `scale`: parameter `x` is tracked, but {why}" == headline
    assert fix.startswith(f"  to fix: {remedy}")
    assert fix.endswith("pass `.value` or call it inside `no_grad()`")
    assert (error.backend, error.parameter, error.declared) == ("numpy", "x", ("numpy",))
    assert error.reason is reason


def test_a_derivative_enabled_late() -> None:
    scale = _fails(backends=["numpy"], autodiff=gated(feature="train"))
    scale.kernel("numpy")(lambda x, alpha: x)
    enable_features("train")

    assert "enabled only after the op was declared" in str(_error(scale, track(np.ones(1))))


def test_the_backend_is_reported_before_the_derivative() -> None:
    assert isinstance(_error(_fails(backends=["cupy"]), track(np.ones(1))), BackendNotSupportedError)


def test_errors_are_what_callers_already_catch() -> None:
    assert issubclass(BackendNotSupportedError, NotImplementedError)
    assert issubclass(AutodiffNotSupportedError, NotImplementedError)
    assert issubclass(MixedBackendsError, TypeError)
    assert issubclass(NoRoutingInputError, TypeError)
    assert issubclass(DeclarationError, ValueError)


def _raised() -> list[OpError]:
    def declare_wrongly() -> None:
        _fails(backends=["nunpy"])

    scale = _fails(backends=["numpy"])
    scale.kernel("numpy")(lambda x, alpha: x)
    attempts: list[Any] = [
        declare_wrongly,
        lambda: _fails(backends=["cupy"])(np.ones(1)),
        lambda: scale(track(np.ones(1))),
        lambda: scale(2.0),
        lambda: track(1),
    ]
    errors = []
    for attempt in attempts:
        with pytest.raises(OpError) as caught:
            attempt()
        errors.append(caught.value)
    return errors


@pytest.mark.parametrize("error", _raised(), ids=lambda error: type(error).__name__)
def test_errors_survive_pickling(error: OpError) -> None:
    copy = pickle.loads(pickle.dumps(error))

    assert type(error) is type(copy)
    assert str(error) == str(copy)
    assert vars(error) == vars(copy)


def test_the_public_names_are_exactly_those_listed() -> None:
    modules = {name for name in vars(opcheck_runtime) if isinstance(getattr(opcheck_runtime, name), type(pickle))}

    public = {name for name in vars(opcheck_runtime) if not name.startswith("_")} - modules
    assert set(opcheck_runtime.__all__) <= set(vars(opcheck_runtime))
    assert public - set(opcheck_runtime.__all__) == set()

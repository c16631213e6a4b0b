"""`route` against a literal table, and the dispatcher against `route`."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from opcheck_runtime import (
    AutodiffNotSupportedError,
    BackendNotSupportedError,
    FloatArray,
    Tracked,
    gated,
    op,
)
from opcheck_runtime.route import Hole, Kernel, Reason, derivative_hole, route, route_forward
from opcheck_runtime.spec import Declaration, Gate

# Arm, has a kernel of its own, has a body: what a call on that backend reaches.
FORWARD: dict[tuple[str, bool, bool], str | Reason] = {
    ("absent", False, False): Reason.NOT_LISTED,
    ("absent", False, True): Reason.NOT_LISTED,
    ("absent", True, False): Reason.NOT_LISTED,
    ("absent", True, True): Reason.NOT_LISTED,
    ("unsupported", False, False): Reason.UNSUPPORTED,
    ("unsupported", False, True): Reason.UNSUPPORTED,
    ("unsupported", True, False): Reason.UNSUPPORTED,
    ("unsupported", True, True): Reason.UNSUPPORTED,
    ("off", False, False): Reason.FEATURE_OFF,
    ("off", False, True): Reason.FEATURE_OFF,
    ("off", True, False): Reason.FEATURE_OFF,
    ("off", True, True): Reason.FEATURE_OFF,
    ("on", False, False): Reason.NO_KERNEL,
    ("on", False, True): "body",
    ("on", True, False): "kernel",
    ("on", True, True): "kernel",
    ("plain", False, False): Reason.NO_KERNEL,
    ("plain", False, True): "body",
    ("plain", True, False): "kernel",
    ("plain", True, True): "kernel",
}
# Derivative as declared, has a rule: what is missing for a tracked call.
DERIVATIVE: dict[tuple[str, bool], Reason | None] = {
    ("absent", False): Reason.AUTODIFF_NOT_LISTED,
    ("absent", True): Reason.AUTODIFF_NOT_LISTED,
    ("off", False): Reason.AUTODIFF_FEATURE_OFF,
    ("off", True): Reason.AUTODIFF_FEATURE_OFF,
    ("on", False): Reason.NO_VJP,
    ("on", True): None,
    ("plain", False): Reason.NO_VJP,
    ("plain", True): None,
}
GATES = {"on": Gate("f", open=True), "off": Gate("f", open=False), "plain": Gate()}
CASES = list(itertools.product(FORWARD, DERIVATIVE, (False, True)))


def _expected(forward: tuple[str, bool, bool], derivative: tuple[str, bool], tracked: bool) -> str | Reason:
    answer = FORWARD[forward]
    return DERIVATIVE[derivative] or answer if tracked and isinstance(answer, str) else answer


def _declaration(forward: tuple[str, bool, bool], derivative: tuple[str, bool]) -> Declaration:
    arm, kernel, body = forward
    autodiff, vjp = derivative
    return Declaration(
        name="f",
        arms={"cupy": GATES[arm]} if arm in GATES else {},
        kernels={"cupy"} if kernel else (),
        has_body=body,
        autodiff=GATES.get(autodiff),
        has_vjp=vjp,
        unsupported={"cupy": "why"} if arm == "unsupported" else {},
    )


@pytest.mark.parametrize(("forward", "derivative", "tracked"), CASES)
def test_route_answers_as_the_table(
    forward: tuple[str, bool, bool], derivative: tuple[str, bool], tracked: bool
) -> None:
    answer = route(_declaration(forward, derivative), "cupy", tracked=tracked)

    expected = _expected(forward, derivative, tracked)
    assert expected == (answer.reason if isinstance(answer, Hole) else answer.source)


def test_a_kernel_names_its_backend() -> None:
    assert route_forward(_declaration(("plain", True, False), ("absent", False)), "cupy") == Kernel("cupy", "kernel")


def test_a_hole_behind_a_gate_names_the_feature() -> None:
    declaration = _declaration(("off", True, False), ("off", True))

    assert route_forward(declaration, "cupy") == Hole(Reason.FEATURE_OFF, "f")
    assert derivative_hole(declaration) == Hole(Reason.AUTODIFF_FEATURE_OFF, "f")


def test_only_the_last_three_reasons_are_of_the_derivative() -> None:
    assert [reason for reason in Reason if Hole(reason).is_autodiff] == [
        Reason.AUTODIFF_NOT_LISTED,
        Reason.AUTODIFF_FEATURE_OFF,
        Reason.NO_VJP,
    ]


def _kernel(x: Any) -> Any:
    return x


def _rule(grad: Any, out: Any, x: Any) -> Any:
    return grad


def _declare(forward: tuple[str, bool, bool], derivative: tuple[str, bool], monkeypatch: Any) -> Any:
    """Declare the same op for real; kernels and rules that were not declared are left out, as they must be."""
    arm, kernel, body = forward
    autodiff, vjp = derivative
    monkeypatch.setenv("OPCHECK_FEATURES", "on")
    arms: dict[str, Any] = {"on": gated("numpy", feature="on"), "off": gated("numpy", feature="off"), "plain": "numpy"}
    gates: dict[str, Any] = {"on": gated(feature="on"), "off": gated(feature="off"), "plain": True, "absent": False}
    declare = op(
        backends=[arms[arm]] if arm in arms else [],
        autodiff=gates[autodiff],
        unsupported={"numpy": "why"} if arm == "unsupported" else {},
    )

    def with_body(x: FloatArray) -> FloatArray:
        return x

    def without_body(x: FloatArray) -> FloatArray: ...

    declared = declare(with_body if body else without_body)
    if kernel and arm in arms:
        declared.kernel("numpy")(_kernel)
    if vjp and autodiff != "absent":
        declared.vjp(_rule)
    return declared


@pytest.mark.parametrize(("forward", "derivative", "tracked"), CASES)
def test_a_call_ends_as_the_table_says(
    forward: tuple[str, bool, bool],
    derivative: tuple[str, bool],
    tracked: bool,
    monkeypatch: pytest.MonkeyPatch,
    arrays: dict[str, Callable[[], Any]],
) -> None:
    declared = _declare(forward, derivative, monkeypatch)
    array = arrays["numpy"]()
    argument = Tracked(array) if tracked else array

    expected = _expected(forward, derivative, tracked)
    if isinstance(expected, str):
        out = declared(argument)
        assert (out.value if tracked else out) is array
        return
    wanted = AutodiffNotSupportedError if Hole(expected).is_autodiff else BackendNotSupportedError
    with pytest.raises(wanted) as caught:
        declared(argument)
    assert {"reason": expected, "backend": "numpy", "parameter": "x"}.items() <= vars(caught.value).items()

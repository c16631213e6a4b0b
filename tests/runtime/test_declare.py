"""Declarations that cannot be meant are refused where they stand, with what to write."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from opcheck_runtime import BackendNotSupportedError, DeclarationError, FloatArray, IntArray, gated, op
from opcheck_runtime.declare import Gated


def _declare(backends: Any = ("numpy",), autodiff: Any = False, unsupported: Mapping[str, str] | None = None) -> Any:
    @op(backends=backends, autodiff=autodiff, unsupported=unsupported)
    def f(x: FloatArray, n: int = 1) -> Any: ...

    return f


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"backends": ["nunpy"]}, "unknown backend `nunpy`; did you mean `numpy`?"),
        ({"backends": ["torch"]}, "unknown backend `torch`; known are numpy, cupy"),
        ({"backends": [3]}, "unknown backend `3`; known are numpy, cupy"),
        ({"backends": [gated("cuby", feature="gpu")]}, "unknown backend `cuby`; did you mean `cupy`?"),
        ({"backends": "numpy"}, '`backends` is a list: write backends=["numpy"]'),
        ({"backends": ["numpy", "numpy"]}, "`numpy` is listed twice; keep one of the two"),
        ({"backends": ["cupy", gated("cupy", feature="gpu")]}, "`cupy` is listed twice; keep one of the two"),
        (
            {"backends": [gated(feature="gpu")]},
            'a gate in `backends` names no backend; write gated("cupy", feature="gpu")',
        ),
        (
            {"autodiff": gated("cupy", feature="train")},
            '`autodiff` is not gated by backend; write gated(feature="train")',
        ),
        ({"autodiff": gated(feature="")}, "a gate names no feature; give it one"),
        ({"unsupported": {"cuda": "no"}}, "unknown backend `cuda`"),
        (
            {"unsupported": {"numpy": "no"}},
            "`numpy` is listed and left out as unsupported; keep one of the two",
        ),
        ({"unsupported": {"cupy": ""}}, "`cupy` is left out without a reason; say why"),
    ],
)
def test_what_cannot_be_meant_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        _declare(**arguments)

    assert caught.value.op == "f"
    assert f"custom op `f`: {message}" in str(caught.value)


def test_a_declaration_error_names_file_and_line(module: Callable[..., ModuleType], tmp_path: Path) -> None:
    with pytest.raises(DeclarationError) as caught:
        module(
            """
            from opcheck_runtime import FloatArray, op

            @op(backends=["nunpy"])
            def f(x: FloatArray) -> None: ...
            """
        )

    place = tmp_path / "declared_ops.py"
    assert (str(place), 4) == (caught.value.file, caught.value.line)
    assert str(caught.value).startswith("custom op `f`: unknown backend `nunpy`")
    assert str(caught.value).endswith(f"({place.as_posix()}:4)")


def test_a_path_below_the_working_directory_is_given_from_there(
    module: Callable[..., ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(DeclarationError, match=r"\(declared_ops\.py:1\)$"):
        module("import opcheck_runtime; opcheck_runtime.op(backends=[])(lambda n: n)")


@pytest.mark.parametrize(("backends", "autodiff"), [([], False), (["numpy", "cupy"], False), (["numpy"], True)])
def test_without_an_array_input_one_backend_and_no_derivative_can_be(
    backends: list[str | Gated], autodiff: bool
) -> None:
    with pytest.raises(DeclarationError, match="no parameter is an array"):

        @op(backends=backends, autodiff=autodiff)
        def f(n: int) -> Any: ...


@pytest.mark.parametrize("function", [lambda *xs: xs, lambda x, **more: x])
def test_the_number_of_parameters_is_fixed(function: Any) -> None:
    with pytest.raises(DeclarationError, match=r"`\*+\w+` has no fixed number of parameters; name each one"):
        op(backends=["numpy"])(function)


def test_a_kernel_is_for_a_declared_backend() -> None:
    with pytest.raises(DeclarationError, match=r"a kernel for `cupy`, which is not declared; add it to `backends`"):
        _declare().kernel("cupy")(lambda x, n: x)


def test_a_kernel_is_for_a_backend_that_exists() -> None:
    with pytest.raises(DeclarationError, match="unknown backend `nump`; did you mean `numpy`"):
        _declare().kernel("nump")(lambda x, n: x)


def test_a_kernel_is_not_for_a_backend_left_out() -> None:
    with pytest.raises(DeclarationError, match="which it leaves out on purpose: too slow"):
        _declare(unsupported={"cupy": "too slow"}).kernel("cupy")(lambda x, n: x)


def test_a_kernel_for_an_arm_whose_gate_is_shut_may_stand_there() -> None:
    f = _declare(backends=[gated("numpy", feature="fast")])
    f.kernel("numpy")(lambda x, n: x)

    with pytest.raises(BackendNotSupportedError, match="feature `fast`, which was off"):
        f(np.ones(1))


def test_a_second_kernel_is_refused() -> None:
    f = _declare()
    f.kernel("numpy")(lambda x, n: x)

    with pytest.raises(DeclarationError, match=r"it has a `numpy` kernel already, at .*test_declare.py:\d+; keep"):
        f.kernel("numpy")(lambda x, n: n)


def test_kernels_of_other_modules_and_compiled_ones_count_as_second() -> None:
    f = _declare()
    f.kernel("numpy")(np.add)
    f.kernel("numpy")(np.add)

    with pytest.raises(DeclarationError, match=r"already, at <numpy\.ufunc add>"):
        f.kernel("numpy")(np.subtract)


def test_a_partial_stands_where_its_function_does() -> None:
    f = _declare()
    f.kernel("numpy")(partial(_three, 0))

    with pytest.raises(DeclarationError, match=rf"test_declare\.py:{_three.__code__.co_firstlineno}; keep"):
        f.kernel("numpy")(lambda x, n: n)


def _three(a: int, x: Any, n: int) -> Any:
    return x


def test_a_second_rule_is_refused() -> None:
    f = _declare(autodiff=True)
    f.vjp(lambda grad, out, x, n: grad)

    with pytest.raises(DeclarationError, match="it has a derivative rule already"):
        f.vjp(lambda grad, out, x, n: out)


def test_a_rule_is_for_an_op_with_a_derivative() -> None:
    with pytest.raises(DeclarationError, match="declare `f` with `autodiff=True`"):
        _declare().vjp(lambda grad, out, x, n: grad)


@pytest.mark.parametrize("kernel", [lambda: 0, lambda x: x, lambda x, n, m: x, lambda x, *, n: x])
def test_a_kernel_takes_the_parameters_by_position(kernel: Any) -> None:
    with pytest.raises(DeclarationError, match=r"take 2 parameters by position; write `def _\(x, n\)`"):
        _declare().kernel("numpy")(kernel)


@pytest.mark.parametrize("kernel", [lambda a, b: 0, lambda a, b, c=0: 0, lambda *all_: 0, np.add, range])
def test_a_kernel_may_name_them_as_it_likes(kernel: Any) -> None:
    assert _declare().kernel("numpy")(kernel) is kernel


def test_a_rule_takes_the_gradient_and_the_result_first() -> None:
    with pytest.raises(DeclarationError, match=r"write `def _\(grad, out, x, n\)`"):
        _declare(autodiff=True).vjp(lambda x, n: x)


def test_the_same_name_twice_in_one_module_is_refused(module: Callable[..., ModuleType]) -> None:
    with pytest.raises(DeclarationError, match=r"it is declared already, at .*declared_ops\.py:4; rename one"):
        module(
            """
            from opcheck_runtime import FloatArray, op

            @op(backends=["numpy"])
            def f(x: FloatArray) -> None: ...

            @op(backends=["numpy"])
            def f(x: FloatArray) -> None: ...
            """
        )


@pytest.mark.parametrize("body", ["...", "pass", "return", "return None", "'only words'", "'words'\n    ..."])
def test_a_body_that_does_nothing_is_no_kernel(body: str, module: Callable[..., ModuleType]) -> None:
    source = f"from opcheck_runtime import FloatArray, op\n@op(backends=['numpy'])\ndef f(x: FloatArray):\n    {body}\n"

    with pytest.raises(BackendNotSupportedError, match="without a kernel"):
        module(source).f(np.ones(1))


@pytest.mark.parametrize("body", ["return 0", "return x", "x = None", "return ...", "return 'words'"])
def test_any_other_body_is_one(body: str, module: Callable[..., ModuleType]) -> None:
    module(
        f"from opcheck_runtime import FloatArray, op\n@op(backends=['numpy'])\ndef f(x: FloatArray):\n    {body}\n"
    ).f(np.ones(1))


def test_an_int_array_is_enough_to_route() -> None:
    @op(backends=["numpy", "cupy"])
    def f(index: IntArray) -> Any:
        return index

    assert f(np.arange(2)).size == 2


def test_backends_may_be_any_iterable() -> None:
    @op(backends=(name for name in ("numpy", "cupy")))
    def f(x: FloatArray) -> Any:
        return x

    assert f(np.ones(2)).size == 2

"""The functions that scripts are made of, as they are in a script."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from opcheck.confirm.pieces import native, torch
from opcheck.confirm.pieces.past import pass_over
from opcheck_runtime import BoolArray, FloatArray, IntArray, Tracked, op, track
from opcheck_runtime.state import OPS

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")


@pytest.fixture(autouse=True)
def _clean_state() -> Iterator[None]:
    before = dict(OPS)
    yield
    OPS.clear()
    OPS.update(before)


def stand_in(*, available: bool) -> ModuleType:
    """Make a module in CuPy's place that makes its arrays by NumPy, and says whether a GPU is there."""
    cupy: Any = ModuleType("cupy")
    cupy.is_available = lambda: available
    cupy.ones = np.ones
    cupy.ndarray = lambda shape, dtype, memptr: ("over", memptr, shape, dtype)
    cupy.cuda = SimpleNamespace(UnownedMemory=lambda *_: "nothing", MemoryPointer=lambda memory, _: memory)
    return cupy  # type: ignore[no-any-return]


def test_an_array_of_numpy_is_real() -> None:
    made = native.array("numpy", "int64")

    assert made.dtype == np.int64
    assert made.shape == (2, 2)


def test_an_array_of_cupy_is_real_where_there_is_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", stand_in(available=True))

    assert native.array("cupy").shape == (2, 2)


def test_an_array_of_cupy_lies_over_nothing_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", stand_in(available=False))

    assert native.array("cupy") == ("over", "nothing", (2, 2), "float64")


def test_an_array_of_cupy_has_its_name_where_there_is_no_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    made = type(native.array("cupy"))

    assert (made.__module__, made.__name__) == ("cupy", "ndarray")


def test_arguments_follow_the_signature() -> None:
    @op(backends=["numpy"])
    def mix(
        x: FloatArray, n: int, by: float, flag: bool, name: str, free: Any, mask: BoolArray, at: IntArray, k: int = 4
    ) -> FloatArray:
        return x

    given = native.arguments(mix, "numpy", track)

    assert list(given) == ["x", "n", "by", "flag", "name", "free", "mask", "at"]
    assert isinstance(given["x"], Tracked)
    assert (given["mask"].dtype, given["at"].dtype) == (np.bool_, np.int64)
    assert (given["n"], given["by"], given["flag"], given["name"], given["free"]) == (1, 1.0, True, "", 1.0)


@pytest.fixture
def library() -> Iterator[Any]:
    """Give torch, and a namespace for ops that live as long as the test."""
    framework: Any = importlib.import_module("torch")
    made = framework.library.Library("confirm_pieces", "DEF")
    yield framework, made
    made._destroy()


@needs_torch
def test_arguments_follow_the_schema(library: Any) -> None:
    framework, made = library
    made.define("many(Tensor a, Tensor? b, Tensor[] c, int[] d, str e, *, Scalar f, Generator? g, bool h=False) -> ()")
    many = framework.ops.confirm_pieces.many.default

    given = torch.arguments(framework, many, "cpu", tracked=True)

    assert list(given) == ["a", "b", "c", "d", "e", "f", "g"]
    assert all(t.requires_grad for t in (given["a"], given["b"], given["c"][0]))
    assert (given["d"], given["e"], given["f"], given["g"]) == ([3], "", 0.5, None)
    assert torch.arguments(framework, many, "cpu", every=True)["h"] is True


@needs_torch
def test_a_call_reaches_the_key_of_a_device_that_is_not_here(library: Any) -> None:
    framework, made = library
    made.define("where(Tensor x) -> Tensor")
    made.impl("where", lambda x: x + 1, "CPU")
    where = framework.ops.confirm_pieces.where.default

    assert torch.call(framework, where, "cpu", "CPU").sum() == 8
    with pytest.raises(NotImplementedError, match="from the 'XPU' backend"):
        torch.call(framework, where, "xpu", "XPU")


@needs_torch
def test_a_gradient_is_asked_of_every_tensor(library: Any) -> None:
    framework, _ = library
    leaf = framework.ones(2, requires_grad=True)

    torch.backward(framework, (leaf * 2, framework.ones(2), 3))

    assert leaf.grad.tolist() == [2.0, 2.0]


def test_a_module_is_imported_past_its_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "imported_past_faults.py"
    source.write_text(
        "import json\n"
        "raise ValueError\n"
        "def fails(f): raise ValueError\n"
        "@fails\n"
        "def f(): pass\n"
        "try:\n"
        "    pass\n"
        "except KeyError:\n"
        "    raise\n"
        "else:\n"
        "    raise ValueError\n"
        "class C:\n"
        "    a = 1\n"
        "    b = 1 / 0\n"
        "end = 1\n"
    )
    (tmp_path / "imported_as_it_is.py").write_text("name = __name__\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(SourceFileLoader, "get_code", SourceFileLoader.get_code)

    pass_over({str(source): [2, 4, 11, 14]})

    module = importlib.import_module("imported_past_faults")
    assert (module.end, module.C.a, hasattr(module, "f"), hasattr(module.C, "b")) == (1, 1, False, False)
    assert importlib.import_module("imported_as_it_is").name == "imported_as_it_is"
    for name in ("imported_past_faults", "imported_as_it_is"):
        sys.modules.pop(name)

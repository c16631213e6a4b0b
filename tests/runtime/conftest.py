"""Arrays of both backends as far as this machine has them, modules written on the spot, a clean state for each test.

The suite runs in three settings. Without CuPy, a class of that name stands in for its arrays where only dispatch is
tested; with CuPy but no GPU, a real `cupy.ndarray` over no memory does; with a GPU, everything is real.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from opcheck_runtime.state import ENABLED_FEATURES, OPS

HAS_CUPY = importlib.util.find_spec("cupy") is not None
HAS_GPU = HAS_CUPY and bool(importlib.import_module("cupy").is_available())

FakeCupyArray = type("ndarray", (), {"__module__": "cupy"})


@pytest.fixture(autouse=True)
def _clean_state(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in ("OPCHECK_FEATURES", "OPCHECK_TARGET"):
        monkeypatch.delenv(variable, raising=False)
    ops, features, modules = dict(OPS), set(ENABLED_FEATURES), set(sys.modules)
    yield
    for kept, before in ((OPS, ops), (ENABLED_FEATURES, features)):
        kept.clear()
        kept.update(before)  # type: ignore[arg-type]
    for name in set(sys.modules) - modules:
        if name.startswith("declared_"):
            del sys.modules[name]


def _cupy_array() -> Any:
    if not HAS_CUPY:
        return FakeCupyArray()
    cupy = importlib.import_module("cupy")
    if HAS_GPU:
        return cupy.ones(3)
    nowhere = cupy.cuda.MemoryPointer(cupy.cuda.UnownedMemory(1, 8, None, 0), 0)
    return cupy.ndarray((1,), "f8", memptr=nowhere)


@pytest.fixture
def arrays() -> dict[str, Callable[[], Any]]:
    """Make an array of each backend, to dispatch on and not to compute with."""
    return {"numpy": lambda: np.ones(3), "cupy": _cupy_array}


@pytest.fixture
def cupy_array() -> Any:
    """Give what dispatches as a CuPy array."""
    return _cupy_array()


@pytest.fixture(params=["numpy", pytest.param("cupy", marks=pytest.mark.skipif(not HAS_GPU, reason="no GPU"))])
def xp(request: pytest.FixtureRequest) -> Any:
    """Give the module of each backend that can compute here."""
    return importlib.import_module(request.param)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """Write a module named `declared_...` and import it."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def write(source: str, name: str = "declared_ops") -> ModuleType:
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(source))
        importlib.invalidate_caches()
        return importlib.import_module(name)

    return write

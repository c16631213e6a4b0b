"""Modules that declare ops may be imported again, reloaded, and named alike."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from opcheck_runtime import DeclarationError, dispatch_table

SOURCE = """
from opcheck_runtime import FloatArray, op

@op(backends=["numpy"], autodiff=True)
def f(x: FloatArray) -> FloatArray: ...

@f.kernel("numpy")
def _(x): return x + {number}

@f.vjp
def _(grad, out, x): return grad
"""
Write = Callable[..., ModuleType]


def test_a_reload_takes_the_place_of_the_first_import(module: Write) -> None:
    declared = module(SOURCE.format(number=1))
    old = declared.f
    importlib.reload(declared)

    assert declared.f is not old
    assert [old(np.ones(1)), declared.f(np.ones(1))] == [2, 2]
    assert [op["op"] for op in dispatch_table("declared_ops")["ops"]] == ["declared_ops.f"]


def test_a_reload_may_find_the_op_on_another_line(module: Write) -> None:
    declared = module(SOURCE.format(number=1))
    edited = "\n\n\n" + SOURCE.format(number=2)
    assert declared.__file__ is not None
    with open(declared.__file__, "w") as file:  # noqa: PTH123
        file.write(edited)
    importlib.reload(declared)

    assert declared.f(np.ones(1)) == 3
    assert dispatch_table("declared_ops")["ops"][0]["line"] == 7


def test_a_second_import_is_no_second_declaration(module: Write) -> None:
    first = module(SOURCE.format(number=1))
    del sys.modules["declared_ops"]
    second = importlib.import_module("declared_ops")

    assert first.f is not second.f
    assert second.f(np.ones(1)) == 2


def test_two_modules_may_declare_the_same_name(module: Write) -> None:
    one = module(SOURCE.format(number=1), "declared_one")
    two = module(SOURCE.format(number=2), "declared_two")

    assert [one.f(np.ones(1)), two.f(np.ones(1))] == [2, 3]
    assert len(dispatch_table("declared_one", "declared_two")["ops"]) == 2


def test_a_module_that_registers_kernels_may_be_reloaded(module: Write) -> None:
    ops = module("from opcheck_runtime import FloatArray, op\n@op(backends=['numpy'])\ndef f(x: FloatArray): ...\n")
    kernels = module("from declared_ops import f\n@f.kernel('numpy')\ndef _(x): return x + 1\n", "declared_kernels")
    importlib.reload(kernels)

    assert ops.f(np.ones(1)) == 2


def test_kernels_from_two_modules_are_a_conflict(module: Write) -> None:
    module(SOURCE.format(number=1))

    with pytest.raises(DeclarationError, match=r"kernel already, at .*declared_ops\.py:7"):
        module("from declared_ops import f\nf.kernel('numpy')(lambda x: x)\n", "declared_kernels")


def _run(source: str, file: str, namespace: dict[str, Any]) -> None:
    exec(compile(source, file, "exec"), namespace)


def test_source_executed_anew_is_a_run_of_its_own() -> None:
    for start in ("", "\n\n"):
        namespace: dict[str, Any] = {"__name__": "declared_nowhere"}
        _run(start + SOURCE.format(number=1), "somewhere.py", namespace)

        assert namespace["f"](np.ones(1)) == 2


def test_a_notebook_cell_may_be_edited_and_run_again() -> None:
    notebook: dict[str, Any] = {"__name__": "declared_notebook"}
    for cell, number in enumerate((1, 2)):
        _run("\n" * cell + SOURCE.format(number=number), f"cell {cell}", notebook)

    assert notebook["f"](np.ones(1)) == 3


def test_one_run_that_declares_twice_is_a_conflict() -> None:
    with pytest.raises(DeclarationError, match=r"it is declared already, at somewhere\.py:4"):
        _run(SOURCE.format(number=1) * 2, "somewhere.py", {"__name__": "declared_nowhere"})


def test_a_declaration_that_is_executed_again_makes_another_op() -> None:
    namespace: dict[str, Any] = {"__name__": "declared_nowhere"}
    looped = "for number in (1, 2):\n" + "\n".join(f"    {line}" for line in SOURCE.splitlines())
    _run(looped.replace("{number}", "number"), "somewhere.py", namespace)

    assert namespace["f"](np.ones(1)) == 3

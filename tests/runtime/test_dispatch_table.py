"""The live table, as data and as printed by `python -m opcheck_runtime`."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import opcheck_runtime
from opcheck_runtime import dispatch_table
from opcheck_runtime.__main__ import main

SOURCE = """\
from opcheck_runtime import FloatArray, enable_features, gated, op

@op(backends=["numpy", gated("cupy", feature="gpu")], autodiff=gated(feature="train"))
def gated_op(x: FloatArray) -> FloatArray: ...

@gated_op.kernel("numpy")
def _(x): return x

@op(backends=["numpy"], autodiff=True, unsupported={"cupy": "no atomics"})
def partial_op(x: FloatArray) -> FloatArray:
    return x

@partial_op.vjp
def _(grad, out, x): return grad

@op(backends=["cupy"])
def lonely_op(x: FloatArray) -> FloatArray: ...

enable_features("gpu")
"""
TABLE = {
    "gated_op": (
        ("covered", "kernel", "kernel registered at declared_ops.py:6"),
        ("hole", None, "feature `train` is off"),
        ("hole", None, "feature `gpu` was enabled after the declaration"),
        ("hole", None, "feature `train` is off"),
    ),
    "partial_op": (
        ("covered", "body", "body at declared_ops.py:9"),
        ("covered", None, "rule registered at declared_ops.py:13"),
        ("excluded", None, "left out on purpose: no atomics"),
        ("excluded", None, "left out on purpose: no atomics"),
    ),
    "lonely_op": (
        ("hole", None, "not listed"),
        ("hole", None, "autodiff not listed"),
        ("hole", None, "no kernel"),
        ("hole", None, "autodiff not listed"),
    ),
}
COLUMNS = [("numpy", "forward"), ("numpy", "autodiff"), ("cupy", "forward"), ("cupy", "autodiff")]
PRINTED = """\
op                       backend  forward                                                autodiff                                   declared at
declared_ops.gated_op    numpy    kernel                                                 hole: feature `train` is off               declared_ops.py:3
declared_ops.gated_op    cupy     hole: feature `gpu` was enabled after the declaration  hole: feature `train` is off               declared_ops.py:3
declared_ops.partial_op  numpy    body                                                   covered                                    declared_ops.py:9
declared_ops.partial_op  cupy     excluded: left out on purpose: no atomics              excluded: left out on purpose: no atomics  declared_ops.py:9
declared_ops.lonely_op   numpy    hole: not listed                                       hole: autodiff not listed                  declared_ops.py:16
declared_ops.lonely_op   cupy     hole: no kernel                                        hole: autodiff not listed                  declared_ops.py:16
"""  # noqa: E501 - as it is printed


@pytest.fixture(autouse=True)
def _declared(module: Callable[..., ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module(SOURCE)


def _cells(op: dict[str, Any]) -> list[tuple[str, str | None, str]]:
    return [(cell["status"], cell["via"], cell["reason"]) for cell in op["cells"]]


def test_the_table_says_of_every_cell_what_it_reaches_and_why() -> None:
    ops = dispatch_table("declared_ops")["ops"]

    assert {op["op"].removeprefix("declared_ops."): tuple(_cells(op)) for op in ops} == TABLE
    for op in ops:
        assert [(cell["backend"], cell["context"]) for cell in op["cells"]] == COLUMNS
        assert {(cell["target"], cell["condition"]) for cell in op["cells"]} == {("live", None)}


def test_a_row_says_where_its_op_is_declared() -> None:
    table = dispatch_table("declared_ops")

    assert {key: value for key, value in table.items() if key != "ops"} == {"schema_version": 1, "targets": ["live"]}
    assert {key: value for key, value in table["ops"][0].items() if key != "cells"} == {
        "op": "declared_ops.gated_op",
        "framework": "native",
        "path": "declared_ops.py",
        "line": 3,
        "external": False,
        "defined": True,
    }


def test_without_modules_it_holds_every_op_but_the_package_s_own() -> None:
    names = [op["op"] for op in dispatch_table()["ops"]]

    assert "declared_ops.lonely_op" in names
    assert not [name for name in names if name.startswith("opcheck_runtime.")]
    assert dispatch_table("opcheck_runtime")["ops"]


def test_a_module_stands_for_those_below_it_and_for_no_namesakes() -> None:
    assert dispatch_table("declared_op")["ops"] == []
    assert dispatch_table("opcheck_runtime") == dispatch_table("opcheck_runtime.arithmetic")


def test_it_is_printed_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["declared_ops"]) == 0

    assert capsys.readouterr().out == PRINTED


def test_it_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "declared_ops"]) == 0

    assert json.loads(capsys.readouterr().out) == dispatch_table("declared_ops")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (None, "cannot import `declared_wrong`: ModuleNotFoundError: No module named 'declared_wrong'\n"),
        ("1 / 0", "cannot import `declared_wrong`: ZeroDivisionError: division by zero\n"),
    ],
)
def test_a_module_that_cannot_be_imported_is_an_error(
    source: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if source:
        (tmp_path / "declared_wrong.py").write_text(source)

    assert main(["declared_ops", "declared_wrong"]) == 2
    assert capsys.readouterr() == ("", message)


def test_a_module_without_ops_is_not_passed_over_in_silence(
    module: Callable[..., ModuleType], capsys: pytest.CaptureFixture[str]
) -> None:
    module("", "declared_nothing")

    assert main(["declared_nothing"]) == 0
    assert capsys.readouterr().err == "`declared_nothing` declares no ops\n"


def test_it_runs_as_a_module(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["opcheck_runtime", "declared_ops"])
    monkeypatch.delitem(sys.modules, "opcheck_runtime.__main__")

    with pytest.raises(SystemExit) as caught:
        runpy.run_module("opcheck_runtime", run_name="__main__")
    assert caught.value.code == 0
    assert capsys.readouterr().out == PRINTED


def test_the_runtime_imports_neither_numpy_nor_cupy() -> None:
    code = "import sys, opcheck_runtime.__main__; sys.exit(bool({'numpy', 'cupy'} & set(sys.modules)))"
    root = Path(opcheck_runtime.__file__).resolve().parents[1]

    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False, timeout=60).returncode == 0

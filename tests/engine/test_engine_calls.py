"""What single calls run into, beside what is found on the cells of the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from opcheck.cli import main
from opcheck.engine import with_calls
from opcheck_rules.model.finding import Finding, Label, Severity, Span

OPS = """
import cupy as cp
import numpy as np
from opcheck_runtime import FloatArray, op, track

@op(backends=["numpy"])
def scale(x: FloatArray) -> FloatArray:
    return x * 2

@op(backends=["numpy", "cupy"])
def shift(x: FloatArray) -> FloatArray:
    return x + 1

def use():
    return scale(cp.ones(3)), shift(track(np.ones(3)))
"""


def finding(code: str, line: int, **fields: Any) -> Finding:
    label = Label(Span("/pkg.py", line, 1, line, 9), f"line {line}", primary=True)
    fields = {"op": "pkg.op", "backend": "cupy", "context": "forward", **fields}
    return Finding(code, "a-rule", "a message", (label,), **fields)


def checked(folder: Path, *arguments: str) -> list[tuple[str, str, str]]:
    (folder / "ops.py").write_text(OPS)
    command = ["check", str(folder / "ops.py"), *arguments, "--format", "json", "--exit-zero"]
    result = CliRunner().invoke(main, command, catch_exceptions=False)
    return [(f["code"], f["op"], f["severity"]) for f in json.loads(result.stdout)["findings"]]


def test_a_call_becomes_a_place_of_what_is_found_on_its_cell() -> None:
    (joined,) = with_calls([finding("OPC101", 1), finding("OPC501", 7), finding("OPC501", 9)])

    assert [(label.text, label.primary) for label in joined.labels] == [("line 1", True), ("line 7", False)]


def test_a_certain_call_makes_a_doubt_certain() -> None:
    doubt = finding("OPC101", 1, severity=Severity.WARNING, condition="pkg.GPU")

    (joined,) = with_calls([doubt, finding("OPC501", 7)])
    (kept,) = with_calls([finding("OPC101", 1), finding("OPC501", 7, severity=Severity.WARNING, condition="u")])

    assert (joined.code, joined.severity, joined.condition) == ("OPC101", Severity.ERROR, None)
    assert (kept.severity, kept.condition) == (Severity.ERROR, None)


def test_a_call_on_another_cell_stands_alone() -> None:
    calls = [finding("OPC501", 7, backend="numpy"), finding("OPC503", 8, context="autodiff")]

    assert [f.code for f in with_calls([finding("OPC101", 1), *calls])] == ["OPC101", "OPC501", "OPC503"]


def test_a_target_that_lists_the_backend_speaks_for_the_call(tmp_path: Path) -> None:
    assert checked(tmp_path, "--backend", "numpy") == [
        ("OPC501", "ops.scale", "error"),
        ("OPC503", "ops.shift", "error"),
    ]
    assert checked(tmp_path, "--backend", "numpy", "--backend", "cupy", "--autodiff") == [
        ("OPC101", "ops.scale", "error"),
        ("OPC201", "ops.scale", "error"),
        ("OPC201", "ops.shift", "error"),
    ]


def test_without_a_target_what_a_call_runs_into_is_still_an_error(tmp_path: Path) -> None:
    assert ("OPC101", "ops.scale", "error") in checked(tmp_path)

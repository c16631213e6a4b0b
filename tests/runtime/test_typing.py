"""A declaration type-checks under both strict checkers, and so do its calls, with the parameters it declares."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import opcheck_runtime

ROOT = str(Path(opcheck_runtime.__file__).resolve().parents[1])
DECLARATION = '''
from opcheck_runtime import FloatArray, IntArray, Tracked, backward, gated, gradcheck, no_grad, op, track

BACKENDS = ["numpy"]


@op(backends=["numpy", gated("cupy", feature="gpu")], autodiff=gated(feature="train"))
def scaled_add(x: FloatArray, y: FloatArray | None, alpha: float = 1.0) -> FloatArray:
    """x + alpha * y"""
    ...


@scaled_add.kernel("numpy")
def _(x: FloatArray, y: FloatArray, alpha: float) -> FloatArray:
    return x + alpha * y


@scaled_add.kernel("cupy")
def _(x: FloatArray, y: FloatArray, alpha: float) -> FloatArray:
    return x + alpha * y


@scaled_add.vjp
def _(
    grad: FloatArray, out: FloatArray, x: FloatArray, y: FloatArray, alpha: float
) -> tuple[FloatArray, FloatArray]:
    return grad, alpha * grad


@op(backends=BACKENDS, unsupported={"cupy": "no atomics"})
def count(index: IntArray, *, size: int) -> int:
    return size


@no_grad()
def evaluate(x: Tracked) -> int:
    return count(x, size=3)


def train(x: Tracked) -> None:
    backward(scaled_add(x, None) * 2 + -x)
    gradcheck(scaled_add, x.value, None)


train(track(object()))
'''
WRONG = """
scaled_add("x", "y", alpha="z")
scaled_add("x")
count("x", 3)
scaled_add.kernel(3)
track("x") @ track("x")
track("x").sum()
"""


def _lines_refused(checker: list[str], source: str, folder: Path) -> list[int]:
    """Run a checker over `source`; gives the lines of it that it finds errors in."""
    file = folder / "example.py"
    file.write_text(source)
    found = subprocess.run(
        [sys.executable, "-m", *checker, str(file)],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    errors = [line for line in found.stdout.splitlines() if "error" in line and f"{file.name}:" in line]
    assert bool(errors) == bool(found.returncode), found.stdout + found.stderr
    return sorted({int(line.split(f"{file.name}:")[1].split(":")[0]) for line in errors})


@pytest.fixture(params=["mypy", "pyright"])
def checker(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    if importlib.util.find_spec(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    monkeypatch.setenv("MYPYPATH", ROOT)
    (tmp_path / "pyrightconfig.json").write_text(f'{{"typeCheckingMode": "strict", "extraPaths": ["{ROOT}"]}}')
    return ["mypy", "--strict", "--no-incremental"] if request.param == "mypy" else ["pyright"]


def test_a_declaration_and_its_calls_are_accepted(checker: list[str], tmp_path: Path) -> None:
    assert _lines_refused(checker, DECLARATION, tmp_path) == []


def test_wrong_calls_are_refused(checker: list[str], tmp_path: Path) -> None:
    first = DECLARATION.count("\n") + 2

    assert _lines_refused(checker, DECLARATION + WRONG, tmp_path) == list(range(first, first + 6))

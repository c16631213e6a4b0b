"""What a run imports: nothing that it does not come to need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

OPS = """
import torch

@torch.library.custom_op("ns::op", mutates_args=())
def op(x: torch.Tensor) -> torch.Tensor:
    return x.clone()
"""
MODULES = (
    "libcst",
    "rich",
    "tree_sitter",
    "pathspec",
    "packaging.requirements",
    "email",
    "opcheck.read",
    "tomllib",
    "ast",
)


def _imported(project: Path, *arguments: str) -> set[str]:
    """Which of the modules that take long to import a run has imported."""
    code = f"""
import sys
from opcheck.cli import main
try:
    main({list(arguments)!r})
finally:
    print(*[name for name in {MODULES!r} if name in sys.modules])
"""
    found = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=True)
    return set(found.stdout.splitlines()[-1].split()) if found.stdout.endswith("\n") else set()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "ops.py").write_text(OPS)
    return tmp_path


def test_the_version_is_told_at_once(project: Path) -> None:
    assert _imported(project, "--version") <= {"ast"}


def test_a_first_run_reads(project: Path) -> None:
    assert "opcheck.read" in _imported(project, "check", ".", "--backend", "cpu")


@pytest.mark.parametrize("output", [(), ("--format", "json")], ids=["text", "json"])
def test_a_second_run_reads_nothing(project: Path, output: tuple[str, ...]) -> None:
    arguments = ("check", ".", "--backend", "cpu", *output)
    _imported(project, *arguments)

    assert _imported(project, *arguments) <= {"ast"}

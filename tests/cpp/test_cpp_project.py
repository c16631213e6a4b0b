"""A project whose ops are defined in C++ and completed in Python is read as one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from opcheck.cli import main

BINDINGS = """\
#include <torch/library.h>
TORCH_LIBRARY(kit, m) {
  m.def("scale(Tensor x, float by) -> Tensor");
  m.def("shift(Tensor x) -> Tensor");
}
TORCH_LIBRARY_IMPL(kit, CPU, m) {
  m.impl("scale", &scale_cpu);
  m.impl("shift", &shift_cpu);
}
#ifdef WITH_CUDA
TORCH_LIBRARY_IMPL(kit, CUDA, m) {
  m.impl("scale", &scale_cuda);
}
#endif
"""
PACKAGE = """\
import torch
from . import _C

@torch.library.register_fake("kit::scale")
def _(x, by):
    return torch.empty_like(x)

if hasattr(torch.ops.kit, "scale"):
    lib = torch.library.Library("kit", "FRAGMENT")
    lib.impl("scale", lambda x, by: x * by, "MPS")
if hasattr(torch.ops.kit, "missing"):
    torch.library.register_fake("kit::missing", lambda x: x)
"""


def _run(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Any:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(main, [*arguments, "--format", "json"])
    assert result.exit_code in (0, 1), result.output
    return json.loads(result.stdout)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A package with an extension, as a source checkout has it."""
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "__init__.py").write_text(PACKAGE)
    (tmp_path / "csrc").mkdir()
    (tmp_path / "csrc" / "ops.cpp").write_text(BINDINGS)
    (tmp_path / "csrc" / "other.cpp").write_text("int main() { return 0; }\n")
    return tmp_path


def _cell(table: Any, op: str, backend: str, context: str) -> Any:
    row = next(row for row in table["ops"] if row["op"] == op)
    return next(c for c in row["cells"] if (c["backend"], c["context"]) == (backend, context))


def test_the_table_joins_both_languages(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = _run(project, monkeypatch, "table", ".", "--backend", "cpu", "--backend", "cuda")

    assert _cell(table, "kit::scale", "cpu", "forward")["via"] == "CPU"
    assert _cell(table, "kit::scale", "cuda", "forward")["via"] == "CUDA"
    assert _cell(table, "kit::scale", "cpu", "compile")["via"] == "fake"
    assert _cell(table, "kit::scale", "mps", "forward")["via"] == "MPS"
    assert _cell(table, "kit::shift", "cuda", "forward")["status"] == "hole"


def test_a_hole_is_reported_at_the_definition(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = _run(project, monkeypatch, "check", ".", "--backend", "cuda")

    (finding,) = report["findings"]
    (primary,) = [span for span in finding["spans"] if span["primary"]]
    assert (finding["code"], finding["op"]) == ("OPC101", "kit::shift")
    assert (primary["path"], primary["line"]) == ("csrc/ops.cpp", 4)


def test_sources_that_nothing_loads_leave_their_ops_open(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "kit" / "__init__.py").write_text("import torch\n")
    table = _run(project, monkeypatch, "table", ".", "--backend", "cpu")
    report = _run(project, monkeypatch, "check", ".", "--backend", "cuda")

    assert _cell(table, "kit::scale", "cpu", "forward")["status"] == "covered"
    assert [f["severity"] for f in report["findings"]] == ["error"]


def test_a_source_that_cannot_be_read_is_passed_over(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "csrc" / "huge.cu").write_bytes(b" " * (17 * 2**20) + b"TORCH_LIBRARY")
    (project / "csrc" / "gone.cu").symlink_to(project / "nowhere")

    table = _run(project, monkeypatch, "table", ".", "--backend", "cpu")
    assert len(table["ops"]) == 3


def test_sources_for_different_builds_are_no_duplicates(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "csrc" / "ops_rocm.cpp").write_text(BINDINGS)

    report = _run(project, monkeypatch, "check", ".", "--backend", "cpu")
    assert report["findings"] == []

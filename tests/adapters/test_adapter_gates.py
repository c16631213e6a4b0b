"""Gates that hang on a feature, and what enables it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from opcheck.cli import main

from .adapter_findings import findings

HEAD = "from opcheck_runtime import FloatArray, enable_features, gated, op\n"
BACKENDS = ("--backend", "numpy", "--backend", "cupy")


def scale(arguments: str) -> str:
    return f"@op({arguments})\ndef scale(x: FloatArray) -> FloatArray:\n    return x\n"


@pytest.mark.parametrize(
    ("text", "backends"),
    [
        (scale('backends=["numpy", gated("cupy", feature="gpu")]') + "enable_features('gpu')", ["cupy"]),
        (scale('backends=["numpy"], autodiff=gated(feature="gpu")') + "enable_features('gpu')", [None]),
        (scale('backends=["numpy", gated("cupy", feature="gpu")]') + "enable_features('fast')", []),
        (scale('backends=["numpy", "cupy"], autodiff=True') + "enable_features('gpu')", []),
        (scale('backends=["numpy", gated(NAME, feature="gpu")]') + "enable_features('gpu')", []),
        (scale('backends=["numpy", gated("cupy", feature="gpu")]') + "def f():\n    enable_features('gpu')", []),
    ],
)
def test_a_gate_is_late_for_what_enables_it_at_import(tmp_path: Path, text: str, backends: list[str | None]) -> None:
    found = findings(tmp_path, "OPC602", HEAD + text, *BACKENDS)

    assert [finding["backend"] for finding in found] == backends


def test_a_gate_that_nothing_opens_is_said_once_for_its_cell(tmp_path: Path) -> None:
    (tmp_path / "ops.py").write_text(HEAD + scale('backends=["numpy", gated("cupy", feature="gpus")]'))
    command = ["check", str(tmp_path / "ops.py"), *BACKENDS, "--feature", "gpu", "--format", "json", "--exit-zero"]

    result = CliRunner().invoke(main, command, catch_exceptions=False)

    assert [finding["code"] for finding in json.loads(result.stdout)["findings"]] == ["OPC601"]


def test_any_configured_target_can_enable_a_feature(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.opcheck.targets.laptop]\nbackends = ["numpy"]\n'
        '[tool.opcheck.targets.serve]\nbackends = ["cupy"]\nfeatures = ["gpu"]\n'
    )

    assert not findings(tmp_path, "OPC601", HEAD + scale('backends=["numpy", gated("cupy", feature="gpu")]'))

"""The forms of the findings, on standard output and in files."""

from __future__ import annotations

import io
import json
import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from opcheck.cli import main
from opcheck.cli.console import width_of
from opcheck.report.formats import FORMATS

HOLE = """\
from opcheck_runtime import FloatArray, op


@op(backends=["numpy"])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.opcheck.targets.serve]\nbackends = ["cupy"]\n')
    (tmp_path / "ops.py").write_text(HOLE)
    return tmp_path


def _run(*arguments: str, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(main, ["check", *arguments], color=True)


@pytest.mark.smoke
@pytest.mark.parametrize("format", FORMATS)
def test_a_file_holds_what_standard_output_would(project: Path, format: str) -> None:
    printed = _run("--format", format)
    told = _run("--output", f"{format}=found.txt")

    assert printed.exit_code == told.exit_code == 1
    assert (project / "found.txt").read_text("utf-8") == printed.stdout != ""


def test_several_forms_are_written_in_one_run(project: Path) -> None:
    result = _run("--format", "concise", "--output", "sarif=a.sarif", "--output", "junit=out=put.xml")

    assert result.stdout == (
        "ops.py:4:14: error: `ops.scale` has no kernel for backend `cupy`, which target `serve` runs on [OPC101]\n"
    )
    assert json.loads((project / "a.sarif").read_text())["version"] == "2.1.0"
    assert (project / "out=put.xml").read_text().startswith("<?xml")


def test_a_file_has_no_colour(project: Path) -> None:
    result = _run("--output", "full=found.txt", FORCE_COLOR="1")

    assert "\x1b[" in result.stdout
    assert "\x1b[" not in (project / "found.txt").read_text()


def test_a_file_is_written_also_where_nothing_is_found(project: Path) -> None:
    (project / "found.json").write_text("of an earlier run")
    (project / "ops.py").write_text("")

    assert _run("--output", "json=found.json").exit_code == 0
    assert json.loads((project / "found.json").read_text())["findings"] == []


def test_what_the_junit_file_fails_follows_the_exit_code(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.opcheck]\n")
    (project / "more.py").write_text(HOLE.replace('"numpy"', '"numpy", "cupy"').replace("scale", "more"))

    for severity, failures in (("error", 0), ("warning", 1)):
        result = _run("--output", "junit=found.xml", "--fail-on", severity)
        assert result.exit_code == failures
        assert (project / "found.xml").read_text().count("<failure") == failures


def test_a_file_takes_the_place_of_another_in_one_step(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "found.json").write_text("of an earlier run")

    def refuse(path: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    result = _run("--output", "json=found.json")

    assert result.exit_code == 2
    assert result.stderr.endswith("error: cannot write `found.json`: No space left on device\n")
    assert (project / "found.json").read_text() == "of an earlier run"
    assert sorted(path.name for path in project.iterdir()) == ["found.json", "ops.py", "pyproject.toml"]


def test_a_link_stays_one(project: Path) -> None:
    (project / "found.json").symlink_to("real.json")

    _run("--output", "json=found.json")

    assert (project / "found.json").is_symlink()
    assert json.loads((project / "real.json").read_text())["schema_version"] == 1


def test_a_device_is_written_to_and_stays_one(project: Path) -> None:
    assert _run("--output", f"json={os.devnull}").exit_code == 1
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_a_device_that_takes_nothing_is_an_error(project: Path) -> None:
    result = _run("--output", "json=/dev/full")

    assert result.exit_code == 2
    assert "error: cannot write `full`: " in result.stderr


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("srif=a", "error: unknown format `srif`\n  = help: did you mean `sarif`?\n"),
        ("a.xyz", "error: unknown format `a.xyz`\n  = help: write FORMAT=PATH, with one of full, concise, "),
        ("json", "error: --output json names no file\n  = help: write --output json=PATH\n"),
        ("json=", "error: --output json= names no file\n"),
        ("json=.", "error: --output json=. names no file\n"),
        ("json=gone/a.json", "error: no such folder: `gone`\n"),
    ],
)
def test_an_output_that_cannot_be_made_is_told_before_anything_is_read(
    project: Path, output: str, message: str
) -> None:
    result = _run("--output", output)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(message)


def test_two_outputs_to_one_file_are_an_error(project: Path) -> None:
    result = _run("--output", "json=a", "--output", "sarif=./a")

    assert result.exit_code == 2
    assert result.stderr == "error: two --output write to the same file\n"


def test_a_row_is_as_wide_as_the_terminal_and_unbounded_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    assert width_of(terminal) is None

    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "72")

    assert width_of(terminal) == 72

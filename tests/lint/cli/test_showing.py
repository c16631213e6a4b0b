"""What a check can say in place of its findings: counts, files, settings; and what it says while it runs."""

from __future__ import annotations

import io
import json
import tomllib
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from opcheck.cli import main
from opcheck.cli.progress import progress

HEAD = "from opcheck_runtime import FloatArray, op\n"
OP = """

@op(backends=["numpy"])
def NAME(x: FloatArray) -> FloatArray:
    return x
"""
CONFIG = """\
[project]
name = "demo"
dependencies = ["torch"]
requires-python = ">=3.11,<3.14"
[project.optional-dependencies]
gpu = ["triton"]
[tool.opcheck]
exclude = ["old/"]
[tool.opcheck.per-op-ignores]
"ops.b" = ["OPC201"]
[tool.opcheck.targets.serve]
backends = ["numpy", "cupy"]
autodiff = true
[tool.opcheck.targets.serve.assume]
"torch.__version__" = "2.13"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(CONFIG)
    (tmp_path / "ops.py").write_text(HEAD + OP.replace("NAME", "a") + OP.replace("NAME", "b"))
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments])


def test_statistics_count_by_rule_and_by_op_and_backend(project: Path) -> None:
    result = _run("--statistics")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "2  OPC101 backend-not-supported",
        "1  OPC201 autodiff-not-supported",
        "",
        "1  ops.a",
        "1  ops.a cupy",
        "1  ops.b cupy",
    ]
    assert result.stderr.startswith("Read 1 file")


def test_statistics_as_json(project: Path) -> None:
    assert json.loads(_run("--statistics", "--format", "json").stdout) == {
        "schema_version": 1,
        "rules": [
            {"code": "OPC101", "rule": "backend-not-supported", "count": 2},
            {"code": "OPC201", "rule": "autodiff-not-supported", "count": 1},
        ],
        "cells": [
            {"op": "ops.a", "backend": None, "count": 1},
            {"op": "ops.a", "backend": "cupy", "count": 1},
            {"op": "ops.b", "backend": "cupy", "count": 1},
        ],
    }


def test_statistics_of_what_concerns_no_op_and_of_nothing(project: Path) -> None:
    (project / "ops.py").write_text(HEAD + "def (:\n")

    assert _run("--statistics").stdout == "1  OPC001 unreadable-file\n"
    assert _run("--statistics", "--select", "OPC4").stdout == ""


def test_statistics_have_no_form_for_services(project: Path) -> None:
    result = _run("--statistics", "--format", "sarif")

    assert result.exit_code == 2
    assert result.stderr == "error: --statistics has no form `sarif`\n  = help: its forms are full, json\n"


def test_files_are_those_that_would_be_read(project: Path) -> None:
    for name in ("pkg/kernel.cu", "pkg/data.txt", "old/gone.py", "inner/a.py"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("")
    (project / "inner" / "opcheck.toml").write_text("")

    result = _run("--show-files")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == ["ops.py", "pkg/kernel.cu", "inner/a.py"]


def test_settings_are_shown_as_they_would_be_written(project: Path) -> None:
    result = _run("--show-settings")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[:4] == [
        "# pyproject.toml",
        "# installed beside it: torch",
        "# with its extra gpu: triton",
        "# the newest Python that it allows: 3.13",
    ]
    shown = tomllib.loads(result.stdout)
    assert shown["exclude"] == ["old/"]
    assert shown["per-op-ignores"] == {"ops.b": ["OPC201"]}
    assert shown["targets"]["serve"] == {
        "backends": ["numpy", "cupy"],
        "autodiff": True,
        "compile": False,
        "vmap": False,
        "features": [],
        "extras": [],
        "ops": [],
        "assume": {"torch.__version__": "2.13"},
    }


def test_settings_that_are_shown_hold_when_they_are_written(project: Path) -> None:
    before = _run("--show-settings").stdout

    (project / "opcheck.toml").write_text(before)

    assert [line for line in _run("--show-settings").stdout.splitlines() if line[:1] != "#"] == [
        line for line in before.splitlines() if line[:1] != "#"
    ]


def test_settings_have_what_the_command_line_puts_in_their_place(project: Path) -> None:
    shown = tomllib.loads(_run("--show-settings", "--backend", "cuda", "--select", "OPC1").stdout)

    assert list(shown["targets"]) == ["cli"]
    assert shown["select"] == ["OPC1"]


def test_what_is_not_configured_has_settings_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ops.py").write_text("")

    result = _run("--show-settings", "--show-files")

    assert result.stdout.splitlines()[0] == "# ."
    assert result.stdout.splitlines()[-1] == "ops.py"
    assert "targets" not in tomllib.loads(_run("--show-settings").stdout)


class Terminal(io.StringIO):
    """A standard error that someone watches until two things are told."""

    def __init__(self) -> None:
        super().__init__()
        self.told_twice = Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if "(2 s)" in text:
            self.told_twice.set()
        return super().write(text)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    terminal = Terminal()
    monkeypatch.setattr("opcheck.cli.progress.sys", SimpleNamespace(stderr=terminal))  # pytest swaps the real one
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("PRE_COMMIT", raising=False)
    monkeypatch.setattr("opcheck.cli.progress._PATIENCE", 0.01)
    return terminal


def test_what_takes_long_is_told_on_a_terminal_and_wiped_off(terminal: Terminal) -> None:
    with progress("Reading"):
        assert terminal.told_twice.wait(10)

    assert terminal.getvalue().startswith("\r\x1b[KReading (1 s)\r\x1b[KReading (2 s)")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_what_is_soon_done_is_not_told(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opcheck.cli.progress._PATIENCE", 60.0)

    with progress("Reading"):
        pass

    assert terminal.getvalue() == ""


@pytest.mark.parametrize("variable", ["CI", "NO_COLOR", "PRE_COMMIT"])
def test_nobody_watches_a_pipeline(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "1")
    started = list[object]()
    monkeypatch.setattr("opcheck.cli.progress.Thread", started.append)

    with progress("Reading"):
        pass

    assert started == []


def test_colour_that_is_forced_makes_no_terminal_of_a_file(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(terminal, "isatty", lambda: False)

    with progress("Reading"):
        pass

    assert terminal.getvalue() == ""


def test_a_fault_ends_the_telling(terminal: Terminal) -> None:
    with pytest.raises(ZeroDivisionError), progress("Reading"):
        assert terminal.told_twice.wait(10)
        raise ZeroDivisionError

    assert terminal.getvalue().endswith("\r\x1b[K")

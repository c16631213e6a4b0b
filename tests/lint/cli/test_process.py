"""The command in a process of its own: streams, colour, pipes, imports."""

from __future__ import annotations

import atexit
import gc
import os
import pty
import runpy
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

SOURCE = """\
from opcheck_runtime import FloatArray, op


@op(backends=["numpy"])
def échelle(x: FloatArray) -> FloatArray:
    return x
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "opcheck.toml").write_text('[targets.serve]\nbackends = ["cupy"]\n')
    (tmp_path / "ops.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def _environment(**extra: str) -> dict[str, str]:
    dropped = {"NO_COLOR", "FORCE_COLOR", "CI", "TERM"}
    return {name: value for name, value in os.environ.items() if name not in dropped} | {"TERM": "xterm"} | extra


def _run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "opcheck", *arguments]
    return subprocess.run(command, cwd=folder, env=_environment(**environment), capture_output=True, check=False)


def _run_on_a_terminal(folder: Path, *arguments: str, **environment: str) -> bytes:
    """What the command writes to a pseudo-terminal that is its standard output."""
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "opcheck", *arguments]
    with subprocess.Popen(
        command, cwd=folder, env=_environment(**environment), stdout=terminal, stderr=subprocess.DEVNULL
    ) as process:
        os.close(terminal)
        written = b""
        try:
            while block := os.read(controller, 65536):
                written += block
        except OSError:  # a terminal whose other end is closed
            pass
        process.wait()
    os.close(controller)
    return written


@pytest.mark.smoke
def test_the_module_runs_as_the_entry_point_does(project: Path) -> None:
    module = _run(project, "check")
    script = subprocess.run(
        [Path(sys.executable).with_name("opcheck"), "check"], cwd=project, capture_output=True, check=False
    )

    assert module.returncode == script.returncode == 1
    assert module.stdout == script.stdout != b""


def test_what_a_command_made_is_left_to_the_end_of_the_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said: list[object] = []
    monkeypatch.setattr(atexit, "register", said.append)
    monkeypatch.setattr(gc, "disable", lambda: said.append("disabled"))
    monkeypatch.setattr(sys, "argv", ["opcheck", "--version"])
    monkeypatch.delitem(sys.modules, "opcheck.__main__", raising=False)

    runpy.run_module("opcheck.__main__", run_name="imported")
    assert said == []
    with pytest.raises(SystemExit):
        runpy.run_module("opcheck", run_name="__main__")

    assert said == ["disabled", gc.freeze]
    assert capsys.readouterr().out.startswith("opcheck ")


def _loaded_by(folder: Path, *arguments: str) -> tuple[str, set[str]]:
    """What the command prints, and the modules that are loaded when it is done."""
    code = (
        "import sys; from opcheck.cli import main\n"
        f"try: main({list(arguments)!r}, prog_name='opcheck')\n"
        "except SystemExit: print(*sys.modules)"
    )
    command = [sys.executable, "-c", code]
    told = subprocess.run(command, cwd=folder, env=_environment(), capture_output=True, check=True, text=True).stdout
    *printed, modules = told.splitlines()
    return "\n".join(printed), set(modules.split())


@pytest.mark.smoke
def test_the_version_is_told_without_loading_what_it_does_not_need(project: Path) -> None:
    told, modules = _loaded_by(project, "--version")

    assert told == f"opcheck {version('opcheck')}"
    assert modules.isdisjoint({"rich", "libcst", "importlib.metadata", "opcheck_rules", "opcheck.config"})


@pytest.mark.parametrize("arguments", [["check"], ["table"], ["check", "--format", "json"], ["rules"]])
def test_a_run_loads_no_more_than_it_needs(project: Path, arguments: list[str]) -> None:
    told, modules = _loaded_by(project, *arguments)

    assert "op" in told
    assert modules.isdisjoint(
        {"rich", "libcst", "importlib.metadata", "tree_sitter", "multiprocessing", "opcheck.cli.fixing"}
    )


def test_off_a_terminal_there_is_no_colour(project: Path) -> None:
    assert b"\x1b" not in _run(project, "check").stdout


def test_colour_can_be_forced(project: Path) -> None:
    assert b"\x1b[1;31merror[OPC101]" in _run(project, "check", FORCE_COLOR="1").stdout


def test_on_a_terminal_there_is_colour(project: Path) -> None:
    assert b"\x1b[1;31merror[OPC101]" in _run_on_a_terminal(project, "check")


@pytest.mark.parametrize("variable", [{"NO_COLOR": "1"}, {"CI": "true"}, {"TERM": "dumb"}])
def test_colour_can_be_declined(project: Path, variable: dict[str, str]) -> None:
    assert b"\x1b" not in _run_on_a_terminal(project, "check", **variable)


def test_no_colour_wins_over_forced_colour(project: Path) -> None:
    assert b"\x1b" not in _run(project, "check", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_an_encoding_that_lacks_a_character_does_not_stop_the_report(project: Path) -> None:
    result = _run(project, "check", PYTHONIOENCODING="ascii", PYTHONUTF8="0")

    assert result.returncode == 1
    assert b"\\xe9chelle" in result.stdout


def test_a_reader_that_leaves_early_is_not_met_with_a_traceback(project: Path) -> None:
    many = SOURCE.split("\n\n\n")[1]
    source = SOURCE + "".join(many.replace("échelle", f"op{number}") for number in range(400))
    (project / "ops.py").write_text(source, encoding="utf-8")
    command = f"'{sys.executable}' -m opcheck check | head -n 1"

    result = subprocess.run(
        ["/bin/sh", "-c", command], cwd=project, env=_environment(), capture_output=True, check=False
    )

    assert result.stdout.startswith(b"error[OPC101]")
    assert b"Traceback" not in result.stderr
    assert b"BrokenPipe" not in result.stderr


def _in_a_shell(folder: Path, command: str) -> subprocess.CompletedProcess[bytes]:
    line = command.replace("opcheck", f"'{sys.executable}' -m opcheck")
    return subprocess.run(["/bin/sh", "-c", line], cwd=folder, env=_environment(), capture_output=True, check=False)


@pytest.mark.parametrize("command", ["check", "table", "table --format json", "rules", "explain OPC101"])
def test_a_full_disk_is_no_defect(project: Path, command: str) -> None:
    result = _in_a_shell(project, f"opcheck {command} > /dev/full")

    assert result.returncode == 2
    assert b"error: cannot write: No space left on device\n" in result.stderr
    assert b"Traceback" not in result.stderr


def test_a_stream_that_is_closed_is_not_written_to(project: Path) -> None:
    without_results = _in_a_shell(project, "opcheck check >&-")
    without_notes = _in_a_shell(project, "opcheck check --format concise 2>&-")

    assert without_results.returncode == without_notes.returncode == 1
    assert without_results.stderr.startswith(b"Read 1 file; checked 1 op")
    assert without_notes.stdout.count(b"\n") == 1


def test_a_working_directory_that_is_gone_is_no_path(project: Path) -> None:
    command = f"cd gone && rmdir ../gone && '{sys.executable}' -m opcheck check"
    (project / "gone").mkdir()

    result = subprocess.run(
        ["/bin/sh", "-c", command], cwd=project, env=_environment(), capture_output=True, check=False
    )

    assert result.returncode == 2
    assert result.stderr == b"error: no such path: `.`\n"


def test_json_to_a_reader_that_leaves_early(project: Path) -> None:
    command = f"'{sys.executable}' -m opcheck rules --format json | true"

    result = subprocess.run(
        ["/bin/sh", "-c", command], cwd=project, env=_environment(), capture_output=True, check=False
    )

    assert result.stderr == b""

"""Bad input ends in one clear message and exit code 2, whatever it is: never in a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from opcheck.cli import main


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.opcheck.targets.serve]\nbackends = ["cupy"]\n')
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "ops.py").write_text("")
    (tmp_path / "data").mkdir()
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "srcc"], "error: no such path: `srcc`\n  = help: did you mean `src`?\n"),
        (["check", "src/op.py"], "error: no such path: `src/op.py`\n  = help: did you mean `src/ops.py`?\n"),
        (["check", "srcs/ops.py"], "error: no such path: `srcs/ops.py`\n  = help: did you mean `src`?\n"),
        (["check", "zzzzzz"], "error: no such path: `zzzzzz`\n"),
        (["check", "src/ops.py/x"], "error: no such path: `src/ops.py/x`\n"),
        (["check", "--select", "ZZZ"], "error: unknown rule `ZZZ`\n  = help: `opcheck rules` lists them\n"),
        (
            ["check", "--ignore", "unknown-opp"],
            "error: unknown rule `unknown-opp`\n  = help: did you mean `unknown-op`?\n",
        ),
        (["check", "--backend", "cuad"], "error: unknown backend `cuad`\n  = help: did you mean `cuda`?\n"),
        (["table", "--target", "srve", "src"], "error: unknown target `srve`\n --> pyproject.toml:1:15\n"),
        (["check", "--vmap"], "error: --vmap needs --backend\n"),
        (["chekc"], "error: unknown command `chekc`\n  = help: did you mean `check`?\n"),
        (["src"], "error: unknown command `src`\n  = help: the commands are check, table, "),
    ],
)
def test_a_slip_on_the_command_line_names_the_nearest_right_word(
    project: Path, arguments: list[str], message: str
) -> None:
    result = _run(*arguments)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(message)


def test_a_target_of_no_configuration_cannot_be_picked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ops.py").write_text("")

    result = _run("check", "--target", "serve")

    assert result.exit_code == 2
    assert result.stderr == "error: unknown target `serve`\n  = help: none is configured\n"


def test_a_target_unlike_any_is_answered_with_those_there_are(project: Path) -> None:
    assert "= help: configured are serve" in _run("check", "--target", "zz").stderr


def test_a_folder_without_python_is_an_error(project: Path) -> None:
    result = _run("check", "data")

    assert result.exit_code == 2
    assert result.stderr.startswith("error: no Python or C++ file is below `")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"[tool.opcheck]\nexcluded = []\n",
            "error: unknown key `excluded` in [tool.opcheck]\n --> pyproject.toml:2:1\n",
        ),
        (b"[tool.opcheck\n", "error: malformed TOML: "),
        (b"[tool.opcheck]\n# \xff\n", "error: `pyproject.toml` is not UTF-8"),
        (b"[tool.opcheck]\ninclude = ['nowhere']\n", "error: `include` pattern `nowhere` matches no file\n"),
    ],
)
def test_a_fault_in_the_configuration_is_shown_in_its_file(project: Path, content: bytes, message: str) -> None:
    (project / "pyproject.toml").write_bytes(content)

    result = _run("check")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(message)
    assert "pyproject.toml:" in result.stderr


def test_a_configuration_that_is_a_folder_is_an_error(project: Path) -> None:
    (project / "opcheck.toml").mkdir()

    result = _run("check")

    assert result.exit_code == 2
    assert result.stderr.startswith("error: `opcheck.toml` is not a file\n --> opcheck.toml:1:1\n")


def test_a_loop_of_links_is_an_error(project: Path) -> None:
    (project / "loop").symlink_to("loop")

    result = _run("check", "loop")

    assert result.exit_code == 2
    assert result.stderr.startswith("error: cannot read `loop`: ")


def test_a_folder_that_cannot_be_searched_offers_no_names(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)

    assert _run("check", "scr").stderr == "error: no such path: `scr`\n"


def test_a_name_no_encoding_holds_is_shown_all_the_same(project: Path) -> None:
    result = _run("check", os.fsdecode(b"caf\xe9"))

    assert result.exit_code == 2
    assert result.stderr.startswith("error: no such path: `caf�`")


def test_a_file_that_cannot_be_decoded_is_a_finding(project: Path) -> None:
    (project / "src" / "bad.py").write_bytes(b"x = '\xff'\n")

    result = _run("check")

    assert result.exit_code == 1
    assert result.stdout.startswith("error[OPC001]")


@pytest.mark.parametrize(
    "arguments", [["--frobnicate"], ["check", "--frobnicate"], ["check", "--format", "xml"], ["explain"]]
)
def test_what_click_refuses_is_a_usage_error_too(arguments: list[str]) -> None:
    result = _run(*arguments)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: " in result.stderr

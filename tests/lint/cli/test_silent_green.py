"""What other linters pass over in silence: each way in which a run could look clean that is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from opcheck.cli import main
from opcheck.report.formats import FORMATS
from opcheck_rules import ALL_RULES
from opcheck_rules.base import Rule
from opcheck_rules.model.finding import Finding
from opcheck_rules.model.table import Table

HOLE = """\
from opcheck_runtime import FloatArray, op


@op(backends=["numpy"])
def scale(x: FloatArray) -> FloatArray:
    return x
"""
CONFIG = '[tool.opcheck.targets.serve]\nbackends = ["cupy"]\n'
IGNORED = HOLE.replace('["numpy"])', '["numpy"])  # opcheck: ignore[OPC101] later')
READING = ("check", "table", "confirm", "baseline")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(CONFIG)
    (tmp_path / "ops.py").write_text(HOLE)
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_a_finding_fails_the_run(project: Path) -> None:
    assert _run("check", "ops.py").exit_code == 1


@pytest.mark.parametrize("format", FORMATS)
def test_a_finding_fails_the_run_in_every_form(project: Path, format: str) -> None:
    assert _run("check", "--format", format).exit_code == 1
    assert _run("check", "--output", f"{format}=found").exit_code == 1


@pytest.mark.parametrize("path", [".", "ops.py"])
def test_a_comment_suppresses_whichever_way_the_file_is_named(project: Path, path: str) -> None:
    (project / "ops.py").write_text(IGNORED)

    result = _run("check", path)

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.endswith("0 errors, 0 warnings, 1 suppressed.\n")


@pytest.mark.parametrize("command", READING)
def test_a_path_that_is_not_there_is_an_error(project: Path, command: str) -> None:
    result = _run(command, "ops.py", "missing.py")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "error: no such path: `missing.py`" in result.stderr


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_a_rule_that_is_not_there_is_an_error_on_the_command_line(project: Path, option: str) -> None:
    assert _run("check", option, "ZZZ").exit_code == 2
    assert _run("check", option, "OPC101,ZZZ").exit_code == 2


@pytest.mark.parametrize(
    "setting", ['select = ["ZZZ"]', 'ignore = ["OPC9"]', 'per-file-ignores = { "ops.py" = ["ZZZ"] }']
)
def test_a_rule_that_is_not_there_is_an_error_in_the_configuration(project: Path, setting: str) -> None:
    (project / "opcheck.toml").write_text(f'{setting}\n[targets.serve]\nbackends = ["cupy"]\n')

    assert _run("check").exit_code == 2


def test_a_comment_that_names_no_rule_there_is_is_told(project: Path) -> None:
    (project / "ops.py").write_text(IGNORED.replace("OPC101", "OPC999"))

    result = _run("check")

    assert result.exit_code == 1
    assert "warning[OPC603]" in result.stdout


def test_a_comment_that_suppresses_nothing_is_told(project: Path) -> None:
    (project / "ops.py").write_text(IGNORED.replace('"numpy"', '"numpy", "cupy"'))

    result = _run("check", "--fail-on", "warning")

    assert result.exit_code == 1
    assert result.stdout.startswith("warning[OPC603]")


@pytest.mark.parametrize("text", ["def (:\n", "import torch\ndef (:\n", "x = '\0'\n"])
@pytest.mark.parametrize("path", [".", "broken.py"])
def test_a_file_that_is_no_python_fails_the_run_whatever_it_mentions(project: Path, text: str, path: str) -> None:
    (project / "ops.py").write_text("")
    (project / "broken.py").write_text(text)

    result = _run("check", path)

    assert result.exit_code == 1
    assert result.stdout.startswith("error[OPC001]")


def test_a_rule_that_is_not_selected_is_not_run(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(rule: Rule, table: Table) -> Iterator[Finding]:
        raise AssertionError(f"{rule.code} was not selected")

    other = Rule("OPC999", "not-selected", "Never run.", check)
    monkeypatch.setattr("opcheck.cli.found.ALL_RULES", (*ALL_RULES, other))

    assert _run("check", "--select", "OPC101").exit_code == 1
    assert _run("check").exit_code == 3


def test_a_target_that_looks_at_nothing_says_so(project: Path) -> None:
    result = _run("check", "--backend", "cuda")

    assert result.exit_code == 0
    assert "checked 0 ops under `cli` (1 op that no target looks at)" in result.stderr


def test_a_folder_that_holds_nothing_to_read_is_an_error(project: Path) -> None:
    (project / "empty").mkdir()

    assert _run("check", "empty").exit_code == 2

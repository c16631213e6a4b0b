"""docs/guide.md: its files are written and its commands run in order. `UPDATE_GOLDENS=1` writes what these print."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner
from tests.docs.pages import DOCS, assert_shown, printed

from opcheck.cli import main
from opcheck.report.formats import FORMATS

ROOT = DOCS.parent
GUIDE = DOCS / "guide.md"
TEXT = GUIDE.read_text(encoding="utf-8")
BLOCK = re.compile(
    r"""^```(?P<language>\w+)(?:[ ]title="(?P<title>[^"]+)")?(?P<how>[ ](?:written|added))?\n(?P<text>.*?)^```$""",
    re.MULTILINE | re.DOTALL,
)


def _as_run(folder: Path) -> Iterator[tuple[re.Match[str], str]]:
    """Each block with the text that it should have."""
    for block in BLOCK.finditer(TEXT):
        file = folder / block["title"] if block["title"] else None
        if block["language"] == "console":
            yield block, printed(block["text"])
        elif block["how"] == " written":
            assert file
            yield block, file.read_text(encoding="utf-8")
        elif file and block["how"] == " added":
            file.write_text(f"{file.read_text(encoding='utf-8')}\n{block['text']}", encoding="utf-8")
        elif file and block["language"] in ("python", "toml"):
            file.write_text(block["text"], encoding="utf-8")


def test_every_file_and_command_does_what_the_guide_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    found = list(_as_run(tmp_path))

    assert len(found) > 10
    assert_shown(GUIDE, found)


def _yaml(text: str) -> Any:
    return import_module("yaml").safe_load(text)


def _shown(title: str) -> Any:
    return next(_yaml(block["text"]) for block in BLOCK.finditer(TEXT) if block["title"] == title)


def _options(command: str) -> set[str]:
    return set(re.findall(r"--[\w-]+", CliRunner().invoke(main, [command, "--help"]).output))


ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")


def test_the_action_reports_the_findings_and_fails_with_them(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise SystemExit('the project was imported')")
    hole = "from opcheck_runtime import FloatArray, op\n\n@op(backends=['numpy'])\ndef f(x: FloatArray): return x\n"
    (tmp_path / "ops.py").write_text(hole)
    roots = os.pathsep.join(str(ROOT / root) for root in ("lint", "rules", "runtime"))
    inputs = {"ARGUMENTS": "--backend cupy", "PATHS": "ops.py click.py", "PYTHON": sys.executable, "PYTHONPATH": roots}
    summary = tmp_path / "the summary.md"
    inputs["GITHUB_STEP_SUMMARY"] = str(summary)
    command = ["bash", "-c", _yaml(ACTION)["runs"]["steps"][-1]["run"]]
    result = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, **inputs}, capture_output=True, text=True, check=False
    )

    assert result.returncode == 1, result.stderr
    assert result.stdout.startswith("::error ")
    assert "file=ops.py,line=3" in result.stdout
    assert summary.read_text().startswith("### opcheck: 1 error")


def test_the_action_uses_every_input_and_no_other() -> None:
    action = _yaml(ACTION)

    assert set(re.findall(r"inputs\.([\w-]+)", ACTION)) == set(action["inputs"])
    assert all(step.get("shell") == "bash" for step in action["runs"]["steps"] if "run" in step)


def test_the_workflow_shown_gives_the_action_what_it_takes() -> None:
    action = _yaml(ACTION)
    *_, step, upload = _shown(".github/workflows/opcheck.yml")["jobs"]["opcheck"]["steps"]

    assert set(step["with"]) <= set(action["inputs"])
    assert set(re.findall(r"--[\w-]+", step["with"]["args"])) <= _options("check")
    assert f"sarif={upload['with']['sarif_file']}" in step["with"]["args"].split()


def test_the_pipeline_shown_runs_commands_that_there_are() -> None:
    job = _shown(".gitlab-ci.yml")["opcheck"]
    commands = [shlex.split(line) for line in job["script"] if line.startswith("opcheck")]

    for _, command, *arguments in commands:
        assert {argument for argument in arguments if argument.startswith("--")} <= _options(command)
    form, _, path = commands[0][-1].partition("=")
    assert form in FORMATS
    assert job["artifacts"]["reports"]["codequality"] == path


def test_the_hook_shown_is_one_that_the_repository_has() -> None:
    hooks = _yaml((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))

    assert _shown(".pre-commit-config.yaml")["repos"][0]["hooks"][0]["id"] in {hook["id"] for hook in hooks}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_there_for_the_shells_that_are_named(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"{shell}_source" in TEXT
    monkeypatch.setattr("click.shell_completion.BashComplete._check_version", lambda *_: None)  # asks the bash there is
    monkeypatch.setenv("_OPCHECK_COMPLETE", f"{shell}_source")
    with pytest.raises(SystemExit) as ended:
        main.main([], prog_name="opcheck")

    assert ended.value.code == 0
    assert "_OPCHECK_COMPLETE" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["explain"], ["check", "--select"], ["check", "--ignore"]])
def test_rules_are_offered_where_one_is_wanted(words: list[str]) -> None:
    offered = BashComplete(main, {}, "opcheck", "_OPCHECK_COMPLETE").get_completions(words, "OPC10")

    assert [item.value for item in offered] == ["OPC101", "OPC102", "OPC103", "OPC104", "OPC105"]

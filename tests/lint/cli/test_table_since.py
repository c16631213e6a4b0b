"""`opcheck table --since`: what became of the cells, in real repositories."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result
from tests.lint.report.samples import schema, validate

from opcheck.cli import main

CONFIG: Final = """\
[targets.serve]
backends = ["cpu", "cuda"]
"""
DEFINED: Final = """\
from torch.library import define, impl

define("ns::op", "(Tensor x) -> Tensor")
"""
CPU: Final = 'impl("ns::op", "cpu", lambda x: x)\n'
CUDA: Final = 'impl("ns::op", "cuda", lambda x: x)\n'

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither this machine's git settings nor a hook around this test have a say."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def _git(folder: Path, *arguments: str) -> str:
    person = ("-c", "user.name=x", "-c", "user.email=x@y")
    done = subprocess.run(["git", *person, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _commit(folder: Path) -> None:
    if not (folder / ".git").exists():
        _git(folder, "init", "--quiet")
    _git(folder, "add", "--all", "--force")
    _git(folder, "commit", "--quiet", "-m", "a state")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose only commit has an op for the CPU."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "opcheck.toml").write_text(CONFIG)
    (folder / "ops.py").write_text(DEFINED + CPU)
    _commit(folder)
    return folder


def _run(*arguments: str, since: str = "HEAD") -> Result:
    return CliRunner().invoke(main, ["table", "--since", since, *arguments])


def _changes(*arguments: str) -> list[tuple[str, str, str]]:
    document: dict[str, Any] = json.loads(_run("--format", "json", *arguments).stdout)
    return [(change["change"], change["op"], change["backend"]) for change in document["changes"]]


def test_what_was_lost_is_told_before_what_was_gained(project: Path) -> None:
    (project / "ops.py").write_text(DEFINED + CUDA)

    result = _run()

    commit = _git(project, "rev-parse", "HEAD")[:10]
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "lost     ns::op  ok -> HOLE",
        "         serve cpu: no kernel",
        "gained   ns::op  HOLE -> ok",
        "         serve cuda: kernel for `cuda` registered at ops.py:4",
    ]
    assert result.stderr == f"Cells since `HEAD` ({commit}): 1 lost, 1 gained.\n"


def test_a_state_that_is_the_same_has_no_changes(project: Path) -> None:
    result = _run()

    assert (result.exit_code, result.stdout) == (0, "")
    assert "none gained or lost" in result.stderr
    assert _run("--format", "markdown").stdout.startswith("### Cells since `HEAD`")


def test_the_document_has_each_cell_as_it_was_and_as_it_is(project: Path) -> None:
    (project / "ops.py").write_text((DEFINED + CPU).replace("ns::op", "ns::other"))

    document = json.loads(_run("--format", "json").stdout)

    validate(document, schema("changes"))
    assert document["since"] == {"revision": "HEAD", "commit": _git(project, "rev-parse", "HEAD").strip()}
    assert (document["targets"], document["summary"]) == (["serve"], {"lost": 1, "unclear": 0, "gained": 1})
    lost, gained = document["changes"]
    assert lost == {
        "change": "lost",
        "op": "ns::op",
        "framework": "torch",
        "target": "serve",
        "backend": "cpu",
        "context": "forward",
        "was": {
            "status": "covered",
            "via": "CPU",
            "condition": None,
            "reason": "kernel for `cpu` registered at ops.py:4",
        },
        "now": None,
    }
    assert (gained["op"], gained["was"], gained["now"]["status"]) == ("ns::other", None, "covered")


def test_markdown_is_a_row_a_change(project: Path) -> None:
    (project / "ops.py").write_text("")

    lines = _run("--format", "markdown").stdout.splitlines()

    assert lines[0].endswith(": 1 lost.")
    assert lines[-1] == (
        "| **lost** | `ns::op` | `serve cpu` | ok | no op | was kernel for `cpu` registered at ops.py:4 |"
    )


def test_a_loss_fails_the_run_only_where_that_is_asked_for(project: Path) -> None:
    assert _run("--fail-on-loss").exit_code == 0
    (project / "ops.py").write_text(DEFINED + CPU + CUDA)
    assert _run("--fail-on-loss").exit_code == 0
    (project / "ops.py").write_text(DEFINED)
    assert (_run().exit_code, _run("--fail-on-loss").exit_code) == (0, 1)


def test_the_working_tree_and_the_index_stay_as_they_are(project: Path) -> None:
    (project / "staged.py").write_text("x = 1\n")
    _git(project, "add", "staged.py")
    (project / "ops.py").write_text(DEFINED)

    def state() -> dict[str, bytes]:
        return {
            str(path): path.read_bytes() for path in project.rglob("*") if path.is_file() and "cache" not in str(path)
        }

    before = state()
    _run()

    assert state() == before


def test_changes_are_written_to_files_too(project: Path) -> None:
    (project / "ops.py").write_text(DEFINED)

    _run("--output", "markdown=changes.md", "--output", "text=changes.txt")

    assert "| **lost** | `ns::op` |" in (project / "changes.md").read_text()
    assert (project / "changes.txt").read_text() == "lost     ns::op  ok -> HOLE\n         serve cpu: no kernel\n"


def test_only_what_is_asked_for_is_compared(project: Path) -> None:
    (project / "pkg").mkdir()
    (project / "pkg" / "more.py").write_text((DEFINED + CPU).replace("ns::op", "ns::more"))
    (project / "new.py").write_text((DEFINED + CUDA).replace("ns::op", "ns::new"))

    assert _changes("pkg") == [("gained", "ns::more", "cpu")]
    assert _changes("new.py", "ops.py") == [("gained", "ns::new", "cuda")]
    assert _changes("--columns", "cpu") == [("gained", "ns::more", "cpu")]


def test_a_deleted_file_takes_its_cells_along(project: Path) -> None:
    (project / "pkg").mkdir()
    (project / "pkg" / "other.py").write_text("")
    (project / "pkg" / "more.py").write_text((DEFINED + CPU).replace("ns::op", "ns::more"))
    _commit(project)
    (project / "pkg" / "more.py").unlink()

    assert _changes("pkg") == _changes() == [("lost", "ns::more", "cpu")]


def test_what_git_ignores_counts_neither_before_nor_now(project: Path) -> None:
    (project / ".gitignore").write_text("generated.py\n")
    (project / "generated.py").write_text((DEFINED + CPU).replace("ns::op", "ns::made"))
    _commit(project)
    (project / "generated.py").unlink()

    assert _changes() == []


def test_both_states_are_held_against_the_targets_of_today(project: Path) -> None:
    (project / "opcheck.toml").write_text('[targets.laptop]\nbackends = ["cpu"]\n')
    (project / "ops.py").write_text(DEFINED)

    assert "laptop cpu: no kernel" in _run().stdout


def test_a_project_that_was_not_configured_is_read_as_it_was(project: Path) -> None:
    (project / "opcheck.toml").unlink()
    _commit(project)
    (project / "opcheck.toml").write_text(CONFIG)
    (project / "ops.py").write_text(DEFINED + CPU + CUDA)

    assert _changes() == [("gained", "ns::op", "cuda")]


def test_a_whole_project_can_be_new(project: Path) -> None:
    (project / "new").mkdir()
    (project / "new" / "opcheck.toml").write_text(CONFIG)
    (project / "new" / "ops.py").write_text((DEFINED + CPU).replace("ns::op", "ns::new"))

    assert _changes() == [("gained", "ns::new", "cpu")]


def test_a_configuration_that_could_not_be_read_is_named(project: Path) -> None:
    (project / "opcheck.toml").write_text("unheard-of = 1\n")
    _commit(project)
    (project / "opcheck.toml").write_text(CONFIG)

    result = _run()

    assert result.exit_code == 2
    assert result.stderr.startswith("error: as `HEAD` has it, the project cannot be read: unknown key `unheard-of`")


def test_files_that_could_not_be_read_are_counted(project: Path) -> None:
    (project / "broken.py").write_text("import torch.library\ndef (:\n")
    _commit(project)
    (project / "broken.py").unlink()

    result = _run()

    assert result.exit_code == 0
    assert "1 file of `HEAD` could not be read, and may have declared more.\n" in result.stderr


def test_a_submodule_is_known_by_name_alone_and_that_is_said(project: Path) -> None:
    commit = _git(project, "rev-parse", "HEAD").strip()
    _git(project, "update-index", "--add", "--cacheinfo", f"160000,{commit},vendored")
    _git(project, "commit", "--quiet", "-m", "a submodule")
    (project / "vendored").mkdir()
    (project / "vendored" / "more.py").write_text((DEFINED + CPU).replace("ns::op", "ns::more"))

    said = f"`HEAD` has no files of the submodule `{project / 'vendored'}`: its ops count as new.\n"
    assert said in _run().stderr
    assert said not in _run("ops.py").stderr


@pytest.mark.parametrize("since", ["nothing", "--all", "", "HEAD~7", "HEAD:ops.py"])
def test_a_revision_that_is_none_is_an_error(project: Path, since: str) -> None:
    result = _run(since=since)

    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: no such revision: `{since}`\n")


def test_outside_of_a_repository_there_is_no_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "ops.py").write_text(DEFINED)

    result = _run()

    assert result.exit_code == 2
    assert result.stderr.splitlines()[1:] == [
        f"error: `{tmp_path}` is not in a git repository",
        "  = help: not a git repository (or any of the parent directories): .git",
    ]


def test_without_git_that_is_said(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    result = _run()

    assert result.exit_code == 2
    assert result.stderr == "error: --since asks git, which cannot be run: No such file or directory\n"


def test_a_repository_that_lacks_a_file_is_an_error(project: Path) -> None:
    blob = _git(project, "rev-parse", "HEAD:ops.py").strip()
    (project / ".git" / "objects" / blob[:2] / blob[2:]).unlink()

    result = _run()

    assert result.exit_code == 2
    assert result.stderr.startswith("error: git cannot lay out `HEAD`\n  = help: ")


def test_a_revision_is_of_one_repository(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(project, other)

    result = _run(str(project), str(other))

    assert result.exit_code == 2
    assert "are two repositories, and a revision is of one" in result.stderr


def test_what_a_hook_of_git_sets_leads_nowhere_else(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = project / ".git" / "index"
    (project / "ops.py").write_text(DEFINED)
    for name, value in {"GIT_DIR": "elsewhere", "GIT_INDEX_FILE": str(index), "GIT_WORK_TREE": "elsewhere"}.items():
        monkeypatch.setenv(name, value)
    before = index.read_bytes()

    assert _changes() == [("lost", "ns::op", "cpu")]
    assert index.read_bytes() == before


def test_hooks_of_the_repository_are_not_run(project: Path) -> None:
    hook = project / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch '{project}/ran'\n")
    hook.chmod(0o755)

    _run()

    assert not (project / "ran").exists()


@pytest.mark.parametrize("form", ["csv", "html"])
def test_a_form_that_is_for_tables_alone_is_an_error(project: Path, form: str) -> None:
    for arguments in (["--format", form], ["--output", f"{form}=file"]):
        result = _run(*arguments)
        assert result.exit_code == 2
        assert result.stderr == f"error: --since has no {form} form\n  = help: its forms are text, json, markdown\n"


def test_a_loss_needs_a_revision(project: Path) -> None:
    result = CliRunner().invoke(main, ["table", "--fail-on-loss"])

    assert result.exit_code == 2
    assert result.stderr.startswith("error: --fail-on-loss needs --since\n")

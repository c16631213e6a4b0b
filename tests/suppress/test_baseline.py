"""The baseline: what it lets pass, how it shrinks, and what is said of entries that let nothing pass."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from opcheck.cli import main

HEAD = "from opcheck_runtime import FloatArray, op\n"
OP = "\n\n@op(backends={backends})\ndef {name}(x: FloatArray) -> FloatArray:\n    return x\n"
CONFIG = '[tool.opcheck.targets.serve]\nbackends = ["cupy"]\n'
TWO = CONFIG + '[tool.opcheck.targets.train]\nbackends = ["cupy"]\n'
FILE = Path("opcheck-baseline.toml")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text(CONFIG)
    _ops("blur", "scale")


def _ops(*holes: str, covered: tuple[str, ...] = (), name: str = "ops.py") -> None:
    made = [OP.format(backends=["numpy"], name=hole) for hole in holes]
    made += [OP.format(backends=["numpy", "cupy"], name=op) for op in covered]
    Path(name).write_text(HEAD + "".join(made))


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


def _found(*arguments: str) -> list[tuple[str, str]]:
    document: Any = json.loads(_run("check", "--format", "json", *arguments).stdout)
    return [(finding["code"], finding["op"]) for finding in document["findings"]]


def _entries() -> list[dict[str, str]]:
    entries: list[dict[str, str]] = tomllib.loads(FILE.read_text())["entries"]
    return entries


@pytest.mark.smoke
def test_what_is_found_today_is_let_pass_from_then_on() -> None:
    result = _run("baseline")

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "opcheck-baseline.toml: 2 findings let pass.\n"
    assert (
        FILE.read_text()
        == """\
# Findings that `opcheck check` lets pass; `opcheck baseline` drops those that are mended.
entries = [
  { rule = "OPC101", op = "ops.blur", backend = "cupy", target = "serve" },
  { rule = "OPC101", op = "ops.scale", backend = "cupy", target = "serve" },
]
"""
    )
    checked = _run("check")
    assert (checked.exit_code, checked.stdout) == (0, "")
    assert checked.stderr.endswith("0 errors, 0 warnings, 2 suppressed.\n")


def test_an_entry_stays_through_moves_and_takes_no_other_op() -> None:
    _run("baseline")
    _ops("first", "scale", "blur")

    assert _found() == [("OPC101", "ops.first")]


def test_one_mended_and_one_broken_is_no_draw() -> None:
    _run("baseline")
    _ops("other", "scale", covered=("blur",))

    assert _found() == [("OPC603", "ops.blur"), ("OPC101", "ops.other")]


def test_an_entry_is_for_one_target() -> None:
    _run("baseline")
    Path("pyproject.toml").write_text(TWO)
    document: Any = json.loads(_run("check", "--format", "json").stdout)

    assert [finding["targets"] for finding in document["findings"]] == [["train"], ["train"]]


def test_an_entry_is_for_one_backend_and_one_rule() -> None:
    entry = '{ rule = "OPC101", op = "ops.blur", backend = "numpy", target = "serve" }'
    FILE.write_text(f"entries = [{entry}, {entry.replace('101', '1').replace('numpy', 'cupy')}]")

    assert _found("--ignore", "OPC603") == [("OPC101", "ops.blur"), ("OPC101", "ops.scale")]


def test_an_entry_that_lets_nothing_pass_is_told_where_it_is_written() -> None:
    _run("baseline")
    _ops("scale", covered=("blur",))
    (finding,) = json.loads(_run("check", "--format", "json").stdout)["findings"]

    assert finding["message"] == "the baseline's entry of OPC101 for `ops.blur` suppresses nothing"
    assert finding["help"] == "`opcheck baseline` drops it"
    (span,) = finding["spans"]
    assert (span["path"], span["line"], span["column"]) == ("opcheck-baseline.toml", 3, 3)
    assert span["label"] == "no such finding under target `serve`"
    assert _found("--backend", "cupy") == [("OPC101", "ops.scale")]


def test_a_baseline_shrinks_and_never_grows_by_itself() -> None:
    _run("baseline")
    _ops("other", "scale", covered=("blur",))

    assert _run("baseline").stderr == (
        "opcheck-baseline.toml: 1 finding let pass, 1 no longer there, 1 not taken in (`--add` does).\n"
    )
    assert [entry["op"] for entry in _entries()] == ["ops.scale"]
    assert _run("baseline", "--add").stderr == "opcheck-baseline.toml: 2 findings let pass.\n"
    assert [entry["op"] for entry in _entries()] == ["ops.other", "ops.scale"]
    _ops(covered=("blur",))
    _run("baseline")
    assert _entries() == []


def test_a_stale_baseline_fails_where_that_is_asked() -> None:
    _run("baseline")
    assert _run("baseline", "--check").exit_code == 0

    _ops("scale", covered=("blur",))
    before = FILE.read_bytes()
    result = _run("baseline", "--check")
    assert (result.exit_code, FILE.read_bytes()) == (1, before)
    assert result.stderr == "opcheck-baseline.toml: 1 finding let pass, 1 no longer there.\n"


def test_there_is_nothing_to_check_without_a_baseline() -> None:
    result = _run("baseline", "--check")

    assert result.exit_code == 2
    assert result.stderr.startswith("error: there is no baseline `opcheck-baseline.toml`\n")
    assert _run("baseline", "--check", "--add").exit_code == 2


def test_without_a_finding_none_is_written() -> None:
    _ops(covered=("blur",))

    assert _run("baseline").stderr == "opcheck-baseline.toml: 0 findings let pass.\n"
    assert not FILE.exists()


def test_what_is_suppressed_or_not_chosen_is_not_taken_in() -> None:
    Path("ops.py").write_text(
        Path("ops.py").read_text().replace("['numpy'])", "['numpy'])  # opcheck: ignore[OPC101]", 1)
    )
    Path("more.py").write_text(HEAD + OP.format(backends=["numpy", "cupa"], name="odd"))
    Path("pyproject.toml").write_text(CONFIG + '[tool.opcheck]\nignore = ["OPC401"]\n')
    _run("baseline")

    assert [entry["op"] for entry in _entries()] == ["ops.scale"]


def test_an_unread_file_keeps_every_entry_and_is_none_itself() -> None:
    _run("baseline")
    Path("ops.py").write_text("def (:\n")

    assert _run("baseline").stderr == (
        "opcheck-baseline.toml: 2 findings let pass, 1 without an op to name, for which there are no entries.\n"
    )
    assert len(_entries()) == 2


def test_the_configuration_may_name_the_file() -> None:
    Path("pyproject.toml").write_text('[tool.opcheck]\nbaseline = "ci/known.toml"\n' + CONFIG)
    assert _run("check").exit_code == 2
    assert "no such file: `ci/known.toml`" in _run("check").stderr

    Path("ci").mkdir()
    assert _run("baseline").exit_code == 0
    assert _found() == []
    Path("ci/known.toml").unlink()
    Path("ci").rmdir()
    assert _run("baseline").stderr == "error: cannot write `known.toml`: No such file or directory\n"


def test_paths_choose_projects_and_never_parts_of_a_baseline() -> None:
    _run("baseline")
    _ops("more", name="more.py")

    assert _run("baseline", "more.py").stderr.startswith("opcheck-baseline.toml: 2 findings let pass")


def test_a_baseline_belongs_to_a_configuration() -> None:
    Path("pyproject.toml").unlink()
    result = _run("baseline")

    assert result.exit_code == 2
    assert "has none\n  = help: `opcheck init` writes one\n" in result.stderr
    FILE.write_text("entries = 3")
    assert _run("check").exit_code == 0


def test_inferred_targets_are_named() -> None:
    Path("pyproject.toml").write_text("[tool.opcheck]\n")
    result = _run("baseline")

    assert result.stderr.startswith("No target is configured: assuming `inferred-native` (numpy).\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("entries = 3", "`entries` in the top level must be a list of tables, not an integer"),
        ("entries = [3]", "item 1 of `entries` must be a table"),
        ("entry = []", "unknown key `entry` in the top level"),
        ('entries = [{ rule = "OPC101", op = "f" }]', "an entry without `target`"),
        ('entries = [{ rule = "OPC101", op = "f", target = "t", line = 3 }]', "unknown key `line` in [[entries]] 1"),
        (
            'entries = [{ rule = 3, op = "f", target = "t" }]',
            "`rule` in [[entries]] 1 must be a string, not an integer",
        ),
        ("entries = [", "malformed TOML"),
    ],
)
def test_a_malformed_baseline_is_an_error_at_its_place(text: str, message: str) -> None:
    FILE.write_text(text)
    result = _run("check")

    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {message}")
    assert "--> opcheck-baseline.toml:1:" in result.stderr


def test_names_of_any_kind_survive_being_written() -> None:
    Path("pyproject.toml").write_text('[tool.opcheck.targets."a \\"b\\" \\\\ \\u007f ü"]\nbackends = ["cupy"]\n')
    _run("baseline")

    assert _found() == []
    assert {entry["target"] for entry in _entries()} == {'a "b" \\ \x7f ü'}


def test_a_baseline_keeps_its_mode_and_the_link_to_it() -> None:
    Path("kept.toml").write_text("entries = []\n")
    Path("kept.toml").chmod(0o600)
    FILE.symlink_to("kept.toml")
    _run("baseline", "--add")

    assert FILE.is_symlink()
    assert Path("kept.toml").stat().st_mode & 0o777 == 0o600
    assert len(_entries()) == 2
    assert sorted(path.name for path in Path().iterdir() if path.name.startswith(".opcheck-baseline")) == []


def test_what_no_file_can_hold_is_no_entry() -> None:
    Path("pyproject.toml").write_text('[tool.opcheck.targets.serve]\nbackends = ["cuda"]\n')
    ops = ("ns::\\ud800", "ns::\\n\\x7f\\x1b")
    defined = "".join(f"torch.library.define('{op}', '(Tensor x) -> Tensor')\n" for op in ops)
    Path("ops.py").write_text(f"import torch\n{defined}")

    assert "1 without an op to name" in _run("baseline").stderr
    assert [entry["op"] for entry in _entries()] == ["ns::\n\x7f\x1b"]
    assert [code for code, _ in _found()] == ["OPC101"]

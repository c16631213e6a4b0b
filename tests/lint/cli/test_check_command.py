"""`opcheck check` on real projects: what is found, what is shown, and how it exits."""

from __future__ import annotations

import errno
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace
from tests.files import write

from opcheck.cli import main
from opcheck.config import Settings
from opcheck.discovery import Files
from opcheck.read import read
from opcheck.reading import Reading
from opcheck_rules.base import Rule
from opcheck_rules.model.finding import Finding, Label
from opcheck_rules.model.table import Table

HOLE = """\
from opcheck_runtime import FloatArray, op


@op(backends=["numpy"])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
"""
COVERED = HOLE.replace('["numpy"]', '["numpy", "cupy"]')
CONFIG = '[tool.opcheck.targets.serve]\nbackends = ["cupy"]\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "pyproject.toml", CONFIG)
    write(tmp_path / "ops.py", HOLE)
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments])


def _json(*arguments: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(_run("--format", "json", *arguments).stdout)
    return document


def _codes(*arguments: str) -> list[str]:
    return [finding["code"] for finding in _json(*arguments)["findings"]]


@pytest.mark.smoke
def test_a_hole_is_shown_at_both_ends_and_fails_the_run(project: Path) -> None:
    result = _run()

    assert result.exit_code == 1
    assert result.stdout.startswith("error[OPC101]: `ops.scale` has no kernel for backend `cupy`")
    assert " --> ops.py:4:" in result.stdout
    assert " ::: pyproject.toml:2:13\n" in result.stdout
    assert "would raise: BackendNotSupportedError: Backend not supported for custom op `scale`" in result.stdout
    assert result.stderr == "Read 1 file; checked 1 op under `serve`: 1 error, 0 warnings.\n"


def test_a_covered_project_passes(project: Path) -> None:
    write(project / "ops.py", COVERED)

    result = _run()

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "Read 1 file; checked 1 op under `serve`: 0 errors, 0 warnings.\n"


def test_exit_zero_reports_and_passes(project: Path) -> None:
    result = _run("--exit-zero")

    assert result.exit_code == 0
    assert "OPC101" in result.stdout


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False), ({}, False)],
)
def test_colour_is_for_those_who_want_it(project: Path, environment: dict[str, str], coloured: bool) -> None:
    result = CliRunner(env={"FORCE_COLOR": None, "NO_COLOR": None}).invoke(main, ["check"], env=environment, color=True)

    assert ("\x1b[" in result.stdout) is coloured


def test_findings_are_parted_by_a_blank_line(project: Path) -> None:
    write(project / "ops.py", HOLE + HOLE.split("\n\n\n")[1].replace("scale", "shift"))

    assert _run().stdout.count("\n\nerror[OPC101]") == 1


def test_without_targets_they_are_inferred_and_holes_are_warnings(project: Path) -> None:
    write(project / "pyproject.toml", "[tool.opcheck]\n")
    write(project / "more.py", COVERED)

    result = _run()

    assert result.exit_code == 0
    assert result.stdout.startswith("warning[OPC101]")
    assert "No target is configured: assuming `inferred-native` (numpy, cupy)." in result.stderr
    assert _run("--fail-on", "warning").exit_code == 1


def test_a_project_without_ops_says_so(project: Path) -> None:
    write(project / "ops.py", "x = 1\n")

    assert _run().stderr == "Read 1 file; no custom ops found: 0 errors, 0 warnings.\n"


def test_ops_that_no_target_looks_at_are_counted(project: Path) -> None:
    assert "checked 0 ops under `cli` (1 op that no target looks at)" in _run("--backend", "cuda").stderr


def test_an_unreadable_file_fails_the_run_also_where_there_is_no_op(project: Path) -> None:
    write(project / "pyproject.toml", "[tool.opcheck]\n")
    write(project / "ops.py", "def (:\n")

    result = _run()

    assert result.exit_code == 1
    assert "error[OPC001]" in result.stdout
    assert _json()["files"] == {"read": 1, "candidates": 0, "failed": ["ops.py"]}


def test_the_choice_of_rules(project: Path) -> None:
    assert _codes() == ["OPC101"]
    assert _codes("--ignore", "OPC1") == []
    assert _codes("--ignore", "OPC4,backend-not-supported") == []
    assert _codes("--select", "OPC2", "--select", "unknown-op") == []
    assert _codes("--select", "OPC1", "--ignore", "OPC101") == []


def test_select_stands_in_for_the_configured_choice(project: Path) -> None:
    write(project / "pyproject.toml", '[tool.opcheck]\nselect = ["OPC4"]\nignore = ["OPC101"]\n' + CONFIG)

    assert _codes() == []
    assert _codes("--ignore", "OPC4") == []
    assert _codes("--select", "OPC101") == ["OPC101"]


def test_files_may_be_spared_a_rule(project: Path) -> None:
    write(project / "old/legacy.py", HOLE.replace("scale", "legacy"))
    ignores = '[tool.opcheck.per-file-ignores]\n"old/" = ["backend-not-supported", "OPC2"]\n'
    write(project / "pyproject.toml", CONFIG + ignores)

    assert [finding["op"] for finding in _json("--select", "OPC1,OPC2")["findings"]] == ["ops.scale"]


def test_an_ad_hoc_target_replaces_the_configured_ones(project: Path) -> None:
    document = _json("--backend", "numpy", "--backend", "cupy", "--autodiff", "--feature", "gpu")

    assert document["targets"] == [
        {
            "name": "cli",
            "backends": ["numpy", "cupy"],
            "autodiff": True,
            "compile": False,
            "vmap": False,
            "features": ["gpu"],
        }
    ]
    assert [finding["code"] for finding in document["findings"]] == ["OPC101", "OPC201"]


def test_a_configured_target_is_picked_by_name(project: Path) -> None:
    write(project / "pyproject.toml", CONFIG + '[tool.opcheck.targets.test]\nbackends = ["numpy"]\n')

    assert _codes("--target", "test") == []
    assert _codes("--target", "test", "--target", "serve") == ["OPC101"]


def test_paths_choose_what_is_reported_and_the_whole_project_is_read(project: Path) -> None:
    write(project / "pkg/__init__.py", "")
    write(project / "pkg/a.py", "BACKENDS = ['numpy']\n")
    taken = HOLE.replace('["numpy"]', "BACKENDS").replace("\n\n\n", "\nfrom pkg.a import BACKENDS\n\n")
    write(project / "pkg/b.py", taken)

    document = _json("pkg/b.py")

    assert [finding["op"] for finding in document["findings"]] == ["pkg.b.scale"]
    assert document["files"]["read"] == 4
    assert _codes("pkg/a.py") == []


def test_a_finding_is_reported_where_any_of_its_places_was_asked_for(project: Path) -> None:
    write(project / "use.py", "from ops import scale\n\n\ndef run(x):\n    return scale(x, 2.0)\n")

    assert _codes("use.py") == ["OPC101"]


def test_a_finding_in_a_native_source_is_reported_where_that_was_asked_for(project: Path) -> None:
    write(project / "pyproject.toml", CONFIG.replace("cupy", "cuda"))
    library = 'TORCH_LIBRARY(ns, m) { m.def("op(Tensor x) -> Tensor"); }\n'
    write(project / "csrc/op.cpp", library + 'TORCH_LIBRARY_IMPL(ns, CPU, m) { m.impl("op", op); }\n')
    write(project / "other.py", "import torch\n")

    assert [_codes(*paths) for paths in ((), ("csrc",), ("other.py",))] == [["OPC101"], ["OPC101"], []]


def test_each_path_belongs_to_the_project_nearest_to_it(project: Path) -> None:
    write(project / "inner/opcheck.toml", '[targets.laptop]\nbackends = ["numpy"]\n')
    write(project / "inner/ops.py", HOLE)
    write(project / "inner/deep/opcheck.toml", '[targets.gpu]\nbackends = ["cupy"]\n')
    write(project / "inner/deep/ops.py", HOLE)

    document = _json()

    assert [target["name"] for target in document["targets"]] == ["serve", "laptop", "gpu"]
    assert [finding["spans"][0]["path"] for finding in document["findings"]] == ["ops.py", "inner/deep/ops.py"]
    assert [target["name"] for target in _json("inner/ops.py")["targets"]] == ["laptop"]
    assert [target["name"] for target in _json("inner/ops.py", "inner/deep")["targets"]] == ["laptop", "gpu"]


def test_without_a_configuration_the_paths_are_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a/ops.py", HOLE)
    write(tmp_path / "b/ops.py", HOLE)

    document = _json("a/ops.py", "a", "--backend", "cupy")

    assert document["files"]["read"] == 1
    assert [finding["spans"][0]["path"] for finding in document["findings"]] == ["a/ops.py"]


def test_results_for_programs_are_not_mixed_with_words_for_people(project: Path) -> None:
    result = _run("--format", "json")

    assert result.exit_code == 1
    assert json.loads(result.stdout)["summary"] == {"error": 1, "warning": 0}
    assert result.stderr.startswith("Read 1 file")


def test_a_finding_about_the_configuration_is_never_filtered_away(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(rule: Rule, table: Table) -> Iterator[Finding]:
        span = table.target.origin["backends.cupy"]
        yield rule.finding(table, "a target that is too much", [Label(span, "here", primary=True)])

    monkeypatch.setattr("opcheck.cli.found.ALL_RULES", (Rule("OPC998", "too-much", "Too much.", check),))

    assert _codes("ops.py") == ["OPC998"]


def test_what_the_reading_warns_of_is_passed_on(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def warning(settings: Settings, files: Files, *, cached: bool) -> Reading:
        return replace(read(settings, files), warnings=(f"mind the gap at {project / 'ops.py'}:3",))

    monkeypatch.setattr("opcheck.cli.subjects.reading_of", warning)

    assert "warning: mind the gap at ops.py:3\n" in _run().stderr
    (project / "inner").mkdir()
    monkeypatch.chdir("inner")
    assert "warning: mind the gap at ../ops.py:3\n" in _run("..").stderr


def test_a_defect_is_named_with_its_traceback(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(rule: Rule, table: Table) -> Iterator[Finding]:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("opcheck.cli.found.ALL_RULES", (Rule("OPC999", "broken", "Broken.", check),))

    result = _run()

    assert (result.exit_code, result.stdout) == (3, "")
    assert "ZeroDivisionError: by nothing" in result.stderr
    assert result.stderr.endswith(
        "opcheck failed with ZeroDivisionError: this is a defect of opcheck, please report it.\n"
    )


CPP = """\
#include <torch/library.h>
TORCH_LIBRARY(ns, m) {
  m.def("f(Tensor x) -> Tensor");
}
TORCH_LIBRARY_IMPL(ns, CUDA, m) {
  m.impl("f", &f);
}
"""


@pytest.mark.parametrize("asked", ["csrc", "csrc/ops.cpp"])
def test_sources_in_cpp_are_checked_by_themselves(project: Path, asked: str) -> None:
    write(project / "csrc/ops.cpp", CPP)
    options = ("--backend", "cpu", "--backend", "cuda")

    assert [finding["op"] for finding in _json(asked, *options)["findings"]] == ["ns::f"]
    assert _json(asked, *options)["files"]["read"] == 2
    (project / "pyproject.toml").unlink()
    assert [finding["op"] for finding in _json(asked, *options)["findings"]] == ["ns::f"]
    assert _run(asked, *options).stderr.startswith("Read 1 file; checked 1 op under `cli`")


def test_a_full_disk_is_no_defect(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("opcheck.cli.check.subjects", fill)

    result = _run()

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == ("error: cannot write: No space left on device\n  = help: make room, or write elsewhere\n")


def test_streams_that_are_closed_are_not_written_to(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)

    with pytest.raises(SystemExit) as ended:
        main(["check"])

    assert ended.value.code == 1
    sys.stdout.close()
    sys.stderr.close()


def test_an_interruption_has_its_own_exit_code(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("opcheck.cli.check.subjects", interrupted)

    result = _run()

    assert (result.exit_code, result.stdout) == (130, "")

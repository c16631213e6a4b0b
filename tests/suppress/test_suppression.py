"""Suppressing findings, as a user does it: comments, ignores of the configuration, and what is said of unused ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.files import write

from opcheck.cli import main

HOLE = """\
from opcheck_runtime import FloatArray, op


@op(backends=["numpy"]){comment}
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
"""
COVERED = HOLE.replace('["numpy"]', '["numpy", "cupy"]')
CONFIG = '[tool.opcheck.targets.serve]\nbackends = ["cupy"]\n'
TWO = CONFIG + '[tool.opcheck.targets.laptop]\nbackends = ["numpy"]\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    _write("pyproject.toml", CONFIG)
    _hole("")
    return tmp_path


def _write(name: str, text: str) -> None:
    write(Path(name), text)


def _hole(comment: str, name: str = "ops.py") -> None:
    _write(name, HOLE.format(comment=comment))


def _covered(comment: str, name: str = "ops.py") -> None:
    _write(name, COVERED.format(comment=comment))


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments], catch_exceptions=False)


def _json(*arguments: str) -> list[Any]:
    found: list[Any] = json.loads(_run("--format", "json", *arguments).stdout)["findings"]
    return found


def _codes(*arguments: str) -> list[str]:
    return [finding["code"] for finding in _json(*arguments)]


def _said(*arguments: str) -> list[tuple[str, int, str, str, str]]:
    """Of each finding: its file and line, its message, its label and its help."""
    return [
        (span["path"], span["line"], finding["message"], span["label"], finding["help"])
        for finding in _json(*arguments)
        for span in finding["spans"]
    ]


@pytest.mark.smoke
def test_a_suppressed_finding_is_counted_and_does_not_fail_the_run(project: Path) -> None:
    _hole("  # opcheck: ignore[OPC101] CuPy has to wait")

    result = _run()

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "Read 1 file; checked 1 op under `serve`: 0 errors, 0 warnings, 1 suppressed.\n"


@pytest.mark.parametrize("rules", ["OPC101", "backend-not-supported", "OPC1", "OPC2, OPC101"])
def test_a_rule_is_named_as_everywhere(project: Path, rules: str) -> None:
    _hole(f"  # opcheck: ignore[{rules}]")

    assert "OPC101" not in _codes()


def test_other_rules_and_other_lines_are_still_reported(project: Path) -> None:
    _hole("  # opcheck: ignore[OPC102]\n# opcheck: ignore[OPC101]")

    assert _codes() == ["OPC101", "OPC603", "OPC603"]


def test_a_comment_counts_at_every_place_of_a_finding(project: Path) -> None:
    _write(
        "use.py",
        "from ops import scale\n\n\ndef run(x):\n    return scale(  # opcheck: ignore[OPC101]\n        x,\n    2)\n",
    )
    assert _codes() == []

    _write(
        "use.py",
        "from ops import scale\n\n\ndef run(x):\n    return scale(\n        x,\n    2)  # opcheck: ignore[OPC101]\n",
    )
    assert _codes() == []

    _write(
        "use.py",
        "from ops import scale\n\n\ndef run(x):\n    return scale(\n        x,  # opcheck: ignore[OPC101]\n    2)\n",
    )
    assert _codes() == ["OPC101", "OPC603"]


def test_a_comment_at_a_target_is_about_that_target(project: Path) -> None:
    ignored = CONFIG.replace("]\n", "]\n", 1).rstrip() + "  # opcheck: ignore[OPC101] not ported\n"
    _write("pyproject.toml", ignored)
    assert _codes() == []

    _write("pyproject.toml", ignored + CONFIG.replace("serve", "train"))
    assert [(finding["code"], finding["targets"]) for finding in _json()] == [("OPC101", ["train"])]
    assert _run().stderr.endswith("1 error, 0 warnings, 1 suppressed.\n")


def test_a_comment_in_a_cpp_source_counts(project: Path) -> None:
    _write("pyproject.toml", '[tool.opcheck.targets.serve]\nbackends = ["cpu", "cuda"]\n')
    _write("ops.py", "import torch\ntorch.ops.load_library('ops.so')\n")
    _write("ops.so", "")
    source = '#include <torch/library.h>\nTORCH_LIBRARY(ns, m) {{\n  m.def("f(Tensor x) -> Tensor");{comment}\n}}\n'
    kernel = 'TORCH_LIBRARY_IMPL(ns, CPU, m) {\n  m.impl("f", f);\n}\n'

    _write("ops.cpp", source.format(comment="") + kernel)
    assert _codes() == ["OPC101"]
    _write("ops.cpp", source.format(comment=" // opcheck: ignore[OPC101] CPU only") + kernel)
    assert _codes() == []


def test_ops_may_be_spared_a_rule(project: Path) -> None:
    _hole("", "more.py")
    _write("pyproject.toml", CONFIG + '[tool.opcheck.per-op-ignores]\n"ops.*" = ["backend-not-supported"]\n')

    assert [finding["op"] for finding in _json()] == ["more.scale"]


def test_many_that_hang_on_one_guard_are_suppressed_one_by_one(project: Path) -> None:
    op = "\n@op(backends=['numpy', *(['cupy'] if other.ON else [])]){comment}\ndef f{n}(x: FloatArray): return x\n"
    ops = [op.format(n=n, comment="  # opcheck: ignore[OPC102]" if n == 0 else "") for n in range(5)]
    _write("ops.py", "import other\nfrom opcheck_runtime import FloatArray, op\n" + "".join(ops))

    (finding,) = _json()

    assert finding["op"] == "ops.f1"
    assert finding["notes"][-1] == "the same holds for 3 more: `ops.f2`, `ops.f3`, `ops.f4`"


def test_an_unused_comment_is_told(project: Path) -> None:
    _covered("  # opcheck: ignore[OPC101]")

    message = "`opcheck: ignore[OPC101]` suppresses nothing"
    help = "remove it, or move it to a line that the finding points at"
    assert _said() == [("ops.py", 4, message, "no such finding on this line", help)]
    assert _run().exit_code == 0
    assert _run("--fail-on", "warning").exit_code == 1


def test_of_unused_comments_each_is_known_when_another_goes_and_when_it_moves(project: Path) -> None:
    first = COVERED.format(comment="  # opcheck: ignore[OPC101]")
    second = first.partition("\n\n\n")[2].replace("scale", "scale_more")
    _write("ops.py", first + second)
    of_first, of_second = (finding["fingerprint"] for finding in _json())
    assert of_first != of_second

    _write("ops.py", first.replace("  # opcheck: ignore[OPC101]", "") + "\n\n" + second)

    assert [finding["fingerprint"] for finding in _json()] == [of_second]


@pytest.mark.parametrize(
    ("comment", "label", "help"),
    [
        ("ignore[OPC11]", "no such rule", "did you mean `OPC101`?"),
        ("ignore[opc101]", "no such rule", "did you mean `OPC101`?"),
        ("ignore[E501]", "no such rule", "`opcheck rules` lists them"),
        ("ignore", "which rules?", "name the rules that it is for: `opcheck: ignore[OPC101] reason`"),
        ("ignore OPC101", "which rules?", "name the rules that it is for: `opcheck: ignore[OPC101] reason`"),
    ],
)
def test_a_comment_that_can_suppress_nothing_is_told_in_every_run(
    project: Path, comment: str, label: str, help: str
) -> None:
    _hole(f"  # opcheck: {comment}")

    for arguments in ([], ["--backend", "cupy"], ["--ignore", "OPC2"]):
        found = [said for said in _said(*arguments) if "suppresses nothing" in said[2]]
        assert [(said[1], *said[3:]) for said in found] == [(4, label, help)]


def test_a_run_that_does_not_look_at_every_target_does_not_judge(project: Path) -> None:
    _write("pyproject.toml", TWO)
    _hole("  # opcheck: ignore[OPC101]")

    assert _codes() == []
    assert _codes("--target", "laptop") == []
    assert _codes("--backend", "numpy") == []
    _covered("  # opcheck: ignore[OPC101]")
    assert _codes("--target", "laptop") == []
    assert _codes("--target", "laptop", "--target", "serve") == ["OPC603"]


def test_a_rule_that_was_not_chosen_still_has_what_its_ignores_are_for(project: Path) -> None:
    _hole("  # opcheck: ignore[OPC101]")
    assert _codes("--ignore", "OPC101") == []
    assert _codes("--select", "OPC603") == []
    assert "suppressed" not in _run("--select", "OPC603").stderr

    _covered("  # opcheck: ignore[OPC101]")
    assert _codes("--select", "OPC603") == ["OPC603"]
    assert _codes("--select", "OPC1") == []
    assert _codes("--ignore", "OPC603") == []


def test_without_a_configured_target_the_inferred_ones_decide(project: Path) -> None:
    _write("pyproject.toml", "[tool.opcheck]\n")
    _covered("  # opcheck: ignore[OPC101]")

    assert _codes() == ["OPC603"]


def test_where_a_file_cannot_be_read_nothing_is_judged(project: Path) -> None:
    _covered("  # opcheck: ignore[OPC101]")
    _write("broken.py", "def (:\n")

    assert _codes() == ["OPC001"]


def test_paths_choose_which_unused_comments_are_told(project: Path) -> None:
    _covered("  # opcheck: ignore[OPC101]")
    _write("more.py", "x = 1  # opcheck: ignore[OPC101]\n")

    assert [said[0] for said in _said("more.py")] == ["more.py"]
    _hole("  # opcheck: ignore[OPC101]")
    assert _codes("ops.py") == []


PER_FILE = '[tool.opcheck.per-file-ignores]\n"{pattern}" = ["OPC101"]\n'


@pytest.mark.parametrize(
    ("pattern", "label"),
    [("ops.py", "no file there has such a finding"), ("old/", "no file that is read matches")],
)
def test_an_unused_ignore_for_files_is_told_where_it_is_written(project: Path, pattern: str, label: str) -> None:
    _covered("")
    _write("pyproject.toml", CONFIG + PER_FILE.format(pattern=pattern))

    message = f"ignoring `OPC101` in `{pattern}` suppresses nothing"
    assert _said() == [("pyproject.toml", 4, message, label, "remove it")]
    assert _said("ops.py") == _said()
    assert _codes("--backend", "cupy") == []


def test_an_ignore_for_tests_is_judged_where_they_are_asked_for(project: Path) -> None:
    _covered("")
    _write("tests/test_ops.py", "x = 1\n")
    _write("pyproject.toml", CONFIG + PER_FILE.format(pattern="tests/"))

    assert _codes() == []
    assert _codes("tests") == ["OPC603"]


@pytest.mark.parametrize(
    ("pattern", "label", "help"),
    [
        ("ops.*", "no op called so has such a finding", "remove it"),
        ("ops.scal", "no op that was read is called so", "did you mean `ops.scale`?"),
        ("ns::f", "no op called so has such a finding", "remove it"),
        ("zzz", "no op that was read is called so", "remove it"),
    ],
)
def test_an_unused_ignore_for_ops_is_told_where_it_is_written(
    project: Path, pattern: str, label: str, help: str
) -> None:
    _covered("")
    _write("use.py", "import torch\ntorch.library.impl('ns::f', 'cpu', lambda x: x)  # opcheck: ignore[OPC402]\n")
    _write("pyproject.toml", CONFIG + f'[tool.opcheck.per-op-ignores]\n"{pattern}" = ["OPC101"]\n')

    message = f"ignoring `OPC101` for `{pattern}` suppresses nothing"
    assert _said() == [("pyproject.toml", 4, message, label, help)]
    assert _codes("--backend", "cupy") == []


def test_a_backend_left_out_in_vain_is_told_where_it_is_written(project: Path) -> None:
    _write("pyproject.toml", CONFIG + '[tool.opcheck.unsupported]\n"ops.*" = ["cuda", "cupy"]\n')
    assert [said[2] for said in _said()] == ["leaving `cuda` out of `ops.*` suppresses nothing"]

    _covered("")
    assert [said[2] for said in _said("--select", "OPC603")] == [
        "leaving `cuda` out of `ops.*` suppresses nothing",
        "leaving `cupy` out of `ops.*` suppresses nothing",
    ]


def test_an_unused_suppression_can_be_suppressed_itself(project: Path) -> None:
    _covered("  # opcheck: ignore[OPC101, OPC603] kept for the next release")
    assert _codes() == []
    assert _run().stderr.endswith("0 warnings, 1 suppressed.\n")

    _covered("  # opcheck: ignore[OPC101]")
    _write("pyproject.toml", CONFIG + '[tool.opcheck.per-file-ignores]\n"ops.py" = ["unused-suppression"]\n')
    assert _codes() == []

    entry = '"ops.py" = ["OPC102"]  # opcheck: ignore[OPC603] kept\n'
    _write("pyproject.toml", CONFIG + "[tool.opcheck.per-file-ignores]\n" + entry)
    _covered("")
    assert _codes() == []


@pytest.mark.parametrize("rules", ["OPC603", "OPC603, unused-suppression"])
def test_an_unused_suppression_of_unused_suppressions_does_not_hide_itself(project: Path, rules: str) -> None:
    _covered(f"  # opcheck: ignore[{rules}]")

    assert _codes() == ["OPC603"] * (rules.count(",") + 1)


CALL = "import cupy as cp\nfrom ops import scale\n\n\ndef run():\n    return scale(cp.ones(3), 2.0){comment}\n"


def test_a_call_that_runs_into_a_suppressed_finding_is_suppressed_with_it(project: Path) -> None:
    _write("pyproject.toml", TWO + CONFIG.replace("serve", "train"))
    _write("use.py", CALL.format(comment=""))
    assert _codes() == ["OPC101"]

    _hole("  # opcheck: ignore[OPC101]")
    assert _codes() == []

    _hole("")
    _write("use.py", CALL.format(comment="  # opcheck: ignore[OPC101]"))
    assert _codes() == []


def test_a_call_is_suppressed_where_it_is_a_finding_of_its_own(project: Path) -> None:
    _write("pyproject.toml", '[tool.opcheck.targets.laptop]\nbackends = ["numpy"]\n')
    _write("use.py", CALL.format(comment=""))
    assert _codes() == ["OPC501"]

    _write("use.py", CALL.format(comment="  # opcheck: ignore[OPC501]"))
    assert _codes() == []

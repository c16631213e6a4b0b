"""Suppressions that suppress nothing: which are told, in which runs, and where."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.suppress.holes import CONFIG, COVERED, TWO, codes, covered, found, hole, put, run, said


def test_an_unused_comment_is_told(project: Path) -> None:
    covered("  # opcheck: ignore[OPC101]")

    message = "`opcheck: ignore[OPC101]` suppresses nothing"
    help = "remove it, or move it to a line that the finding points at"
    assert said() == [("ops.py", 4, message, "no such finding on this line", help)]
    assert run().exit_code == 0
    assert run("--fail-on", "warning").exit_code == 1


def test_of_unused_comments_each_is_known_when_another_goes_and_when_it_moves(project: Path) -> None:
    first = COVERED.format(comment="  # opcheck: ignore[OPC101]")
    second = first.partition("\n\n\n")[2].replace("scale", "scale_more")
    put("ops.py", first + second)
    of_first, of_second = (finding["fingerprint"] for finding in found())
    assert of_first != of_second

    put("ops.py", first.replace("  # opcheck: ignore[OPC101]", "") + "\n\n" + second)

    assert [finding["fingerprint"] for finding in found()] == [of_second]


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
    hole(f"  # opcheck: {comment}")

    for arguments in ([], ["--backend", "cupy"], ["--ignore", "OPC2"]):
        found = [said for said in said(*arguments) if "suppresses nothing" in said[2]]
        assert [(said[1], *said[3:]) for said in found] == [(4, label, help)]


def test_a_run_that_does_not_look_at_every_target_does_not_judge(project: Path) -> None:
    put("pyproject.toml", TWO)
    hole("  # opcheck: ignore[OPC101]")

    assert codes() == []
    assert codes("--target", "laptop") == []
    assert codes("--backend", "numpy") == []
    covered("  # opcheck: ignore[OPC101]")
    assert codes("--target", "laptop") == []
    assert codes("--target", "laptop", "--target", "serve") == ["OPC603"]


def test_a_rule_that_was_not_chosen_still_has_what_its_ignores_are_for(project: Path) -> None:
    hole("  # opcheck: ignore[OPC101]")
    assert codes("--ignore", "OPC101") == []
    assert codes("--select", "OPC603") == []
    assert "suppressed" not in run("--select", "OPC603").stderr

    covered("  # opcheck: ignore[OPC101]")
    assert codes("--select", "OPC603") == ["OPC603"]
    assert codes("--select", "OPC1") == []
    assert codes("--ignore", "OPC603") == []


def test_without_a_configured_target_the_inferred_ones_decide(project: Path) -> None:
    put("pyproject.toml", "[tool.opcheck]\n")
    covered("  # opcheck: ignore[OPC101]")

    assert codes() == ["OPC603"]


def test_where_a_file_cannot_be_read_nothing_is_judged(project: Path) -> None:
    covered("  # opcheck: ignore[OPC101]")
    put("broken.py", "def (:\n")

    assert codes() == ["OPC001"]


def test_paths_choose_which_unused_comments_are_told(project: Path) -> None:
    covered("  # opcheck: ignore[OPC101]")
    put("more.py", "x = 1  # opcheck: ignore[OPC101]\n")

    assert [said[0] for said in said("more.py")] == ["more.py"]
    hole("  # opcheck: ignore[OPC101]")
    assert codes("ops.py") == []


PER_FILE = '[tool.opcheck.per-file-ignores]\n"{pattern}" = ["OPC101"]\n'


@pytest.mark.parametrize(
    ("pattern", "label"),
    [("ops.py", "no file there has such a finding"), ("old/", "no file that is read matches")],
)
def test_an_unused_ignore_for_files_is_told_where_it_is_written(project: Path, pattern: str, label: str) -> None:
    covered("")
    put("pyproject.toml", CONFIG + PER_FILE.format(pattern=pattern))

    message = f"ignoring `OPC101` in `{pattern}` suppresses nothing"
    assert said() == [("pyproject.toml", 4, message, label, "remove it")]
    assert said("ops.py") == said()
    assert codes("--backend", "cupy") == []


def test_an_ignore_for_tests_is_judged_where_they_are_asked_for(project: Path) -> None:
    covered("")
    put("tests/test_ops.py", "x = 1\n")
    put("pyproject.toml", CONFIG + PER_FILE.format(pattern="tests/"))

    assert codes() == []
    assert codes("tests") == ["OPC603"]


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
    covered("")
    put("use.py", "import torch\ntorch.library.impl('ns::f', 'cpu', lambda x: x)  # opcheck: ignore[OPC402]\n")
    put("pyproject.toml", CONFIG + f'[tool.opcheck.per-op-ignores]\n"{pattern}" = ["OPC101"]\n')

    message = f"ignoring `OPC101` for `{pattern}` suppresses nothing"
    assert said() == [("pyproject.toml", 4, message, label, help)]
    assert codes("--backend", "cupy") == []


def test_a_backend_left_out_in_vain_is_told_where_it_is_written(project: Path) -> None:
    put("pyproject.toml", CONFIG + '[tool.opcheck.unsupported]\n"ops.*" = ["cuda", "cupy"]\n')
    assert [said[2] for said in said()] == ["leaving `cuda` out of `ops.*` suppresses nothing"]

    covered("")
    assert [said[2] for said in said("--select", "OPC603")] == [
        "leaving `cuda` out of `ops.*` suppresses nothing",
        "leaving `cupy` out of `ops.*` suppresses nothing",
    ]


def test_an_unused_suppression_can_be_suppressed_itself(project: Path) -> None:
    covered("  # opcheck: ignore[OPC101, OPC603] kept for the next release")
    assert codes() == []
    assert run().stderr.endswith("0 warnings, 1 suppressed.\n")

    covered("  # opcheck: ignore[OPC101]")
    put("pyproject.toml", CONFIG + '[tool.opcheck.per-file-ignores]\n"ops.py" = ["unused-suppression"]\n')
    assert codes() == []

    entry = '"ops.py" = ["OPC102"]  # opcheck: ignore[OPC603] kept\n'
    put("pyproject.toml", CONFIG + "[tool.opcheck.per-file-ignores]\n" + entry)
    covered("")
    assert codes() == []


@pytest.mark.parametrize("rules", ["OPC603", "OPC603, unused-suppression"])
def test_an_unused_suppression_of_unused_suppressions_does_not_hide_itself(project: Path, rules: str) -> None:
    covered(f"  # opcheck: ignore[{rules}]")

    assert codes() == ["OPC603"] * (rules.count(",") + 1)

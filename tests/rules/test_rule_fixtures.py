"""Each rule, run alone on its fixtures: what it marks, and how its report reads."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections import Counter
from pathlib import Path

import pytest
from tests.rules.conftest import FIXTURES, Check

from opcheck_rules import ALL_RULES
from opcheck_rules.base import Rule

MARKER = re.compile(r"(?P<severity>error|warning): \[(?P<rule>[a-z-]+)\]")
FILES = [(rule, name) for rule in ALL_RULES for name in ("flagged.py", "clean.py")]

# A file that is no Python cannot say in a comment what is wrong with it.
UNMARKED = {"unreadable-file/flagged.py": Counter({(7, "error", "unreadable-file"): 1})}


def arguments(path: Path) -> list[str]:
    """The command line that the first line of a fixture asks for; without one it is checked as configured."""
    first = path.read_text("latin-1").splitlines()[0]
    return shlex.split(first.partition("opcheck:")[2])


def expected(path: Path) -> Counter[tuple[int, str, str]]:
    name = f"{path.parent.name}/{path.name}"
    lines = enumerate(path.read_text("latin-1").splitlines(), 1)
    marked = Counter((n, m["severity"], m["rule"]) for n, line in lines for m in MARKER.finditer(line))
    return UNMARKED.get(name, marked)


def prepare(rule: Rule, name: str, folder: Path) -> list[str]:
    """Make a project of one of a rule's files and what stands beside them; give the command line to check it with."""
    for path in (FIXTURES / rule.name).iterdir():
        if path.name == name or path.stem not in ("flagged", "clean"):
            shutil.copy(path, folder)
    return [name, "--select", rule.code, *arguments(folder / name)]


@pytest.mark.parametrize(("rule", "name"), FILES, ids=[f"{rule.name}/{name}" for rule, name in FILES])
def test_a_rule_reports_what_its_fixture_marks(rule: Rule, name: str, check: Check, tmp_path: Path) -> None:
    report = check.json(tmp_path, *prepare(rule, name, tmp_path))

    found = Counter((check.primary_line(f), f["severity"], f["rule"]) for f in report["findings"])

    assert found == expected(FIXTURES / rule.name / name)


@pytest.mark.parametrize("rule", ALL_RULES, ids=[rule.name for rule in ALL_RULES])
def test_a_report_reads_as_its_golden(rule: Rule, check: Check, tmp_path: Path) -> None:
    golden = FIXTURES / rule.name / "flagged.txt"

    report = check.text(tmp_path, *prepare(rule, "flagged.py", tmp_path))
    if "UPDATE_GOLDENS" in os.environ:
        golden.write_text(report)

    assert report == golden.read_text()


def test_a_misspelt_backend_is_not_reported_as_missing_too(check: Check, tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "unknown-backend" / "flagged.py", tmp_path)

    report = check.json(tmp_path, "flagged.py", "--backend", "numpy", "--backend", "cupy")

    found = {
        (finding["code"], finding["backend"]) for finding in report["findings"] if finding["op"] == "flagged.scale"
    }
    assert found == {("OPC401", "cupy")}

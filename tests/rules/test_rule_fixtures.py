"""Each rule, run alone on its fixtures: what it marks, and how its report reads."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
from tests.goldens import golden
from tests.rules.conftest import Check
from tests.rules.fixtures import FIXTURES, MARKER, prepare

from opcheck_rules import ALL_RULES
from opcheck_rules.base import Rule

FILES = [(rule, name) for rule in ALL_RULES for name in ("flagged.py", "clean.py")]

# A file that is no Python cannot say in a comment what is wrong with it.
UNMARKED = {"unreadable-file/flagged.py": Counter({(7, "error", "unreadable-file"): 1})}


def expected(path: Path) -> Counter[tuple[int, str, str]]:
    name = f"{path.parent.name}/{path.name}"
    lines = enumerate(path.read_text("latin-1").splitlines(), 1)
    marked = Counter((n, m["severity"], m["rule"]) for n, line in lines for m in MARKER.finditer(line))
    return UNMARKED.get(name, marked)


@pytest.mark.parametrize(("rule", "name"), FILES, ids=[f"{rule.name}/{name}" for rule, name in FILES])
def test_a_rule_reports_what_its_fixture_marks(rule: Rule, name: str, check: Check, tmp_path: Path) -> None:
    report = check.json(tmp_path, *prepare(rule, name, tmp_path))

    found = Counter((check.primary_line(f), f["severity"], f["rule"]) for f in report["findings"])

    assert found == expected(FIXTURES / rule.name / name)


@pytest.mark.parametrize("rule", ALL_RULES, ids=[rule.name for rule in ALL_RULES])
def test_a_report_reads_as_its_golden(rule: Rule, check: Check, tmp_path: Path) -> None:
    report = check.text(tmp_path, *prepare(rule, "flagged.py", tmp_path))

    assert report == golden(FIXTURES / rule.name / "flagged.txt", report)


def test_a_misspelt_backend_is_not_reported_as_missing_too(check: Check, tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "unknown-backend" / "flagged.py", tmp_path)

    report = check.json(tmp_path, "flagged.py", "--backend", "numpy", "--backend", "cupy")

    found = {
        (finding["code"], finding["backend"]) for finding in report["findings"] if finding["op"] == "flagged.scale"
    }
    assert found == {("OPC401", "cupy")}

"""Every fixture's findings can be let pass, by comments and by a baseline, and no program is another one for it."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.rules.fixtures import prepare_for_everything

from opcheck.cli import main
from opcheck_rules import ALL_RULES, unreadable_file, unused_suppression

# The first has no comments, and the second is about what is to go.
RULES = [rule for rule in ALL_RULES if rule not in (unreadable_file.RULE, unused_suppression.RULE)]


@pytest.fixture(params=RULES, ids=[rule.name for rule in RULES])
def flagged(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    prepare_for_everything(request.param, tmp_path)
    return tmp_path / "flagged.py"


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


def _left() -> list[str]:
    findings = json.loads(_run("check", "--format", "json").stdout)["findings"]
    return [f"{finding['code']} {finding['op']}" for finding in findings]


def test_comments_take_every_finding_and_change_nothing_else(flagged: Path) -> None:
    before = ast.dump(ast.parse(flagged.read_bytes()))
    assert _left()

    added = _run("check", "--add-ignore", "to be looked at")

    assert "no comment can be written" not in added.stderr
    assert _left() == []
    assert ast.dump(ast.parse(flagged.read_bytes())) == before


def test_a_baseline_takes_every_finding_that_has_an_op(flagged: Path) -> None:
    without = [finding for finding in _left() if finding.endswith(" None")]

    assert _run("baseline").exit_code == 0
    assert _left() == without
    assert _run("baseline", "--check").exit_code == 0

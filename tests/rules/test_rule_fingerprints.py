"""Every rule on its fixtures: no two findings are about the same, and each stays the same when code moves."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.rules.conftest import Check
from tests.rules.fixtures import prepare, prepare_for_everything

from opcheck.cli.asked import Asked
from opcheck.cli.found import found_in
from opcheck.cli.selection import Selection
from opcheck.cli.subjects import subjects
from opcheck_rules import ALL_RULES
from opcheck_rules.base import Rule

NOTHING_ASKED = Asked((), (), autodiff=False, compile=False, vmap=False, feature=(), assume={}, no_cache=True)
RULES = pytest.mark.parametrize("rule", ALL_RULES, ids=[rule.name for rule in ALL_RULES])


@RULES
def test_no_two_findings_are_about_the_same(rule: Rule, tmp_path: Path) -> None:
    prepare_for_everything(rule, tmp_path)
    [subject] = subjects([tmp_path], NOTHING_ASKED)
    alone, together = (found_in(subject, Selection(codes, ())).findings for codes in ((rule.code,), ()))

    assert alone
    for found in (alone, together):
        about = Counter((finding.about, None if finding.op else finding.primary.path) for finding in found)
        assert [what for what, count in about.items() if count > 1] == []


@RULES
def test_a_finding_is_known_again_where_it_has_moved(rule: Rule, check: Check, tmp_path: Path) -> None:
    options = prepare(rule, "flagged.py", tmp_path)
    before = check.json(tmp_path, *options)["findings"]
    first, rest = (tmp_path / "flagged.py").read_bytes().split(b"\n", 1)
    (tmp_path / "flagged.py").write_bytes(first + b"\n# One line more.\n\n" + rest)

    after = check.json(tmp_path, *options)["findings"]

    assert [check.primary_line(finding) for finding in before] != [check.primary_line(finding) for finding in after]
    assert [finding["fingerprint"] for finding in before] == [finding["fingerprint"] for finding in after]

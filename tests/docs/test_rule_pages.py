"""docs/rules/: a page for each rule, as the rule has it. `UPDATE_GOLDENS=1` writes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.goldens import golden

from opcheck.cli import main
from opcheck_rules import ALL_RULES

PAGES = Path(__file__).parents[2] / "docs" / "rules"
WRITTEN = {"README": ["rules", "--format", "markdown"]} | {rule.code: ["explain", rule.code] for rule in ALL_RULES}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_page_says_what_its_command_prints(name: str) -> None:
    page = PAGES / f"{name}.md"
    printed = CliRunner().invoke(main, WRITTEN[name]).stdout

    assert printed == golden(page, printed)


def test_there_is_no_other_page() -> None:
    assert {page.stem for page in PAGES.iterdir()} == set(WRITTEN)

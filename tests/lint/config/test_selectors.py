"""Rules are chosen by code, by name, and by the prefix of a family."""

from __future__ import annotations

import pytest

from opcheck.config.selectors import chosen, is_known
from opcheck_rules import ALL_RULES


def _codes(*select: str, ignore: tuple[str, ...] = ()) -> list[str]:
    return [rule.code for rule in chosen(ALL_RULES, select, ignore)]


def test_without_a_choice_every_rule_is_chosen() -> None:
    assert _codes() == [rule.code for rule in ALL_RULES]


@pytest.mark.parametrize("selector", ["OPC101", "backend-not-supported"])
def test_a_code_and_a_name_choose_one_rule(selector: str) -> None:
    assert _codes(selector) == ["OPC101"]


def test_a_prefix_chooses_a_family() -> None:
    assert _codes("OPC2") == [rule.code for rule in ALL_RULES if rule.code.startswith("OPC2")]


def test_what_is_ignored_is_not_chosen() -> None:
    assert _codes("OPC1", ignore=("OPC101", "backend-gated-off"))[0] == "OPC103"


@pytest.mark.parametrize("selector", ["", "O", "opc101", "101", "OPC1x", "backend"])
def test_other_spellings_choose_nothing(selector: str) -> None:
    assert not is_known(selector, ALL_RULES)

"""What the rules say of themselves: that it is there, that it is true, and that it keeps to one form."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import pytest
from tests.rules.conftest import Check
from tests.rules.fixtures import FIXTURES

import opcheck_rules
from opcheck_rules import ALL_RULES
from opcheck_rules.base import Rule

SECTIONS = ("What it does", "Why is this bad?", "Example", "Use instead", "Predicted error", "Fix safety")
BLOCK = re.compile(r"```(?P<language>python|toml)\n(?P<text>.*?)```", re.DOTALL)
BY_NAME = [pytest.param(rule, id=rule.name) for rule in ALL_RULES]


def sections(rule: Rule) -> dict[str, str]:
    """The documentation by heading; what stands before the first is under ``."""
    parts = re.split(r"^## (.+)$", rule.documentation, flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def write_project(folder: Path, *texts: str) -> list[str]:
    """Write the blocks of some sections, later ones over earlier; give the command line to check them with."""
    blocks = {match["language"]: match["text"] for text in texts for match in BLOCK.finditer(text)}
    (folder / "ops.py").write_text(blocks["python"])
    if "toml" in blocks:
        (folder / "pyproject.toml").write_text(blocks["toml"])
        return []
    return ["--backend", "numpy", "--backend", "cpu"]


@pytest.mark.parametrize("rule", BY_NAME)
def test_a_documentation_has_every_section_in_order(rule: Rule) -> None:
    assert tuple(sections(rule)) == ("", *SECTIONS)
    assert all(text.strip() for text in sections(rule).values())


@pytest.mark.parametrize("rule", BY_NAME)
def test_a_summary_is_one_short_sentence(rule: Rule) -> None:
    assert rule.summary
    assert len(rule.summary) <= 72
    assert rule.summary[0].isupper()
    assert sections(rule)[""].strip() == f"{rule.summary}."


@pytest.mark.parametrize("rule", BY_NAME)
def test_an_example_is_flagged_and_what_to_use_instead_is_not(rule: Rule, check: Check, tmp_path: Path) -> None:
    parts = sections(rule)
    flagged, clean = tmp_path / "flagged", tmp_path / "clean"
    flagged.mkdir()
    clean.mkdir()

    bad = check.json(flagged, "--select", rule.code, *write_project(flagged, parts["Example"]))
    good = check.json(clean, *write_project(clean, parts["Example"], parts["Use instead"]))

    assert [finding["rule"] for finding in bad["findings"]] == [rule.name]
    assert good["findings"] == []


def test_every_rule_is_registered_in_the_order_of_its_code() -> None:
    modules = [importlib.import_module(f"opcheck_rules.{m.name}") for m in pkgutil.iter_modules(opcheck_rules.__path__)]
    written = {module.__name__.rpartition(".")[2]: module.RULE for module in modules if hasattr(module, "RULE")}

    assert sorted(written.values(), key=lambda rule: rule.code) == list(ALL_RULES)
    assert {name.replace("_", "-"): rule for name, rule in written.items()} == {rule.name: rule for rule in ALL_RULES}


def test_codes_and_names_are_well_formed_and_their_own() -> None:
    assert all(re.fullmatch(r"OPC\d{3}", rule.code) for rule in ALL_RULES)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name) for rule in ALL_RULES)
    assert len({rule.code for rule in ALL_RULES}) == len({rule.name for rule in ALL_RULES}) == len(ALL_RULES)


@pytest.mark.parametrize("rule", BY_NAME)
def test_a_rule_has_its_fixtures(rule: Rule) -> None:
    assert {"flagged.py", "clean.py", "flagged.txt"} <= {path.name for path in (FIXTURES / rule.name).iterdir()}


def test_every_fixture_belongs_to_a_rule() -> None:
    folders = {path.name for path in FIXTURES.iterdir() if path.is_dir()}

    assert folders == {"showcase", "dispatchers", *(r.name for r in ALL_RULES)}


@pytest.mark.parametrize("rule", BY_NAME)
def test_messages_keep_to_one_form(rule: Rule, check: Check, tmp_path: Path) -> None:
    """They start in lower case or with a name, and end without a full stop: a report sets them in its own sentences."""
    report = check.json(tmp_path, "--select", rule.code, *write_project(tmp_path, sections(rule)["Example"]))

    for finding in report["findings"]:
        labels = [span["label"] for span in finding["spans"]]
        for text in (finding["message"], finding["help"], *finding["notes"], *labels):
            assert re.match(r"[`'a-z0-9]", text)
            assert not text.endswith(".")

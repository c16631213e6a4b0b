"""Every finding of every rule's fixture, run: what opcheck predicts is what happens."""

from __future__ import annotations

import importlib.util
import json
import shlex
import shutil
from pathlib import Path

import pytest
from tests.confirm.conftest import Project

from opcheck_rules import ALL_RULES
from opcheck_rules.base import Rule

FIXTURES = Path(__file__).parents[2] / "fixtures"


def predicted(rule: Rule) -> str:
    return rule.documentation.partition("## Predicted error\n")[2].partition("\n## ")[0].strip()


@pytest.mark.slow
@pytest.mark.parametrize("rule", ALL_RULES, ids=[rule.name for rule in ALL_RULES])
def test_what_a_fixture_is_flagged_for_comes_about(
    rule: Rule, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    flagged = (FIXTURES / rule.name / "flagged.py").read_text("latin-1")
    if "import torch" in flagged and importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed")
    for name in ("TRAIN", "FAST"):
        monkeypatch.setenv(name, "1")
    for path in (FIXTURES / rule.name).iterdir():
        if path.stem != "clean" and path.name != "flagged.txt":
            shutil.copy(path, project.folder)
    asked = shlex.split(flagged.splitlines()[0].partition("opcheck:")[2])

    found = project.confirmations("flagged.py", "--select", rule.code, *asked)

    assert found
    silent = [c for c in found if c["verdict"] == "not runnable" and c["reason"] == "nothing is raised"]
    assert [c["reason"] for c in found if c["verdict"] != "confirmed" and c not in silent] == []
    assert not silent or predicted(rule).startswith("None")


@pytest.mark.slow
def test_the_holes_of_the_showcase_come_about(project: Project) -> None:
    shutil.copytree(FIXTURES / "showcase", project.folder, dirs_exist_ok=True)

    result = project.run("confirm", "--format", "json")

    document = json.loads(result.stdout)
    assert document["summary"]["refuted"] == 0
    assert document["summary"]["confirmed"] >= 7

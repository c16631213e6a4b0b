"""The showcase: every finding in it comes true, and what has no finding works."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.rules.conftest import Check
from tests.rules.fixtures import FIXTURES

SHOWCASE = FIXTURES / "showcase"
CALLS = Path(__file__).with_name("showcase_calls.py")
BACKEND = {"train": "numpy", "serve": "cupy"}


def run(*arguments: str, target: str, text: str = "") -> str:
    """Run Python in the showcase, configured as one of its targets."""
    environment = os.environ | {"PYTHONPATH": str(SHOWCASE), "OPCHECK_TARGET": target, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, input=text, cwd=SHOWCASE, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def calls(target: str, questions: list[tuple[str, str, str]]) -> list[Any]:
    answers: list[Any] = json.loads(run(str(CALLS), target=target, text=json.dumps(questions)))
    return answers


@pytest.fixture
def findings(check: Check) -> list[Any]:
    found: list[Any] = check.json(SHOWCASE, ".")["findings"]
    return found


def test_it_runs_with_numpy_alone() -> None:
    assert run("-m", "lumen", target="train").startswith("raw:")


def test_it_has_holes_of_at_least_six_rules(findings: list[Any]) -> None:
    assert {finding["code"] for finding in findings} == {
        "OPC101",
        "OPC102",
        "OPC103",
        "OPC104",
        "OPC201",
        "OPC202",
        "OPC203",
    }


def test_every_finding_raises_what_it_predicts(findings: list[Any]) -> None:
    for finding in findings:
        predicted = finding["predicted_error"]
        for target in finding["targets"]:
            question = (finding["op"], finding["backend"] or BACKEND[target], finding["context"])

            ((kind, message),) = calls(target, [question])

            assert (kind, message[: len(predicted["message"])]) == (predicted["type"], predicted["message"])


def test_what_is_not_reported_under_training_works(findings: list[Any]) -> None:
    ops = [f"lumen.{op}" for op in ("tone.expose", "filters.blur", "filters.sharpen", "filters.median")]

    assert not {finding["op"] for finding in findings if "train" in finding["targets"]} & set(ops)
    assert calls("train", [(op, "numpy", "forward") for op in ops]) == [None] * len(ops)
    assert calls("train", [("lumen.tone.expose", "numpy", "autodiff")]) == [None]

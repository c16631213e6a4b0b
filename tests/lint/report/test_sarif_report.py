"""SARIF, against the schema of its version 2.1.0."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lint.report.samples import DOUBT, FINDINGS, FINGERPRINT, HOLE, validate, written

from opcheck import __version__
from opcheck_rules.model.finding import Finding

SCHEMA = json.loads((Path(__file__).parent / "sarif-2.1.0-rtm.5.json").read_text("utf-8"))


def _run(*findings: Finding) -> dict[str, Any]:
    document = json.loads(written("sarif", *findings))
    validate(document, SCHEMA)
    run: dict[str, Any] = document["runs"][0]
    return run


def test_a_run_without_findings_is_a_run() -> None:
    run = _run()

    assert run["results"] == []
    assert run["tool"]["driver"] == {"name": "opcheck", "version": __version__, "rules": []}


def test_a_result_has_its_places() -> None:
    [result] = _run(HOLE)["results"]

    assert (result["ruleId"], result["level"]) == ("OPC101", "error")
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "src/a.py", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 9},
            },
            "message": {"text": "declared for `cpu`"},
        }
    ]
    [related] = result["relatedLocations"]
    assert related["message"]["text"] == "required here"
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "pyproject.toml"


def test_a_result_says_all_that_is_said_of_a_finding() -> None:
    [result] = _run(HOLE)["results"]

    assert result["message"]["text"].splitlines() == [
        "`ns::op` has no kernel for backend `cuda`",
        "required here: pyproject.toml:2:13",
        "would raise: NotImplementedError: Could not run 'ns::op'",
        "note: a fact",
        "note: found under the targets `serve`, `train`",
        "help: register a `cuda` kernel",
        "fix: unsafe, with `--fix --unsafe-fixes`",
    ]
    assert result["properties"]["backend"] == "cuda"
    assert result["properties"]["predictedError"]["type"] == "NotImplementedError"


def test_the_rules_that_found_something_come_with_their_documentation() -> None:
    rules = _run(DOUBT, HOLE, HOLE)["tool"]["driver"]["rules"]

    assert [(rule["id"], rule["name"]) for rule in rules] == [
        ("OPC101", "backend-not-supported"),
        ("OPC102", "backend-gated-off"),
    ]
    assert rules[0]["shortDescription"]["text"] == "A backend the project runs on has no kernel."
    assert "## Use instead" in rules[0]["help"]["markdown"]


def test_a_fix_has_its_edits_by_file() -> None:
    with_fix, without = _run(HOLE, DOUBT)["results"]

    [fix] = with_fix["fixes"]
    assert fix["description"]["text"] == "register a `cuda` kernel (unsafe fix)"
    assert [
        (change["artifactLocation"]["uri"], [edit["insertedContent"]["text"] for edit in change["replacements"]])
        for change in fix["artifactChanges"]
    ] == [("pyproject.toml", ["x"]), ("src/a.py", ['["cpu", "cuda"]', "y"])]
    assert "fixes" not in without


def test_findings_that_share_a_fingerprint_stay_apart() -> None:
    identities = [result["partialFingerprints"]["opcheck/v1"] for result in _run(HOLE, DOUBT, HOLE)["results"]]

    assert identities[0] == FINGERPRINT
    assert len(set(identities)) == 3


@settings(max_examples=30, deadline=None)
@given(findings=st.lists(FINDINGS, max_size=2))
def test_whatever_is_found_it_is_valid(findings: list[Finding]) -> None:
    assert len(_run(*findings)["results"]) == len(findings)
    written("sarif", *findings).encode("ascii")

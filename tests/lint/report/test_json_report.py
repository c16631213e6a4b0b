"""The JSON documents, against the schema other programs read."""

from __future__ import annotations

import json
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lint.report.samples import FINDINGS, FINGERPRINT, schema, validate, written

from opcheck.report.changes.json import changes_document
from opcheck.report.entries import entries
from opcheck.report.json import json_document, table_document
from opcheck.report.results import Results
from opcheck.report.snippet import View
from opcheck.since.comparison import Comparison
from opcheck.since.git import Revision
from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.finding import Finding, Label, PredictedError, Severity, Span
from opcheck_rules.model.project import Cell, Framework, Op, Outcome, Project, Status, Stub
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

BASE = Path("/work/demo")
SPAN = Span("/work/demo/src/a.py", 3, 1, 3, 9)
ELSEWHERE = Span("/work/demo/src/b.py", 9, 1, 9, 4)
FRAMEWORK = Framework("torch", ("cpu", "cuda", "mps"), frozenset({"cuda", "mps"}))
SPACE = Conditions()
CHECK_SCHEMA, TABLE_SCHEMA = schema("check"), schema("table")


def _check(*findings: Finding) -> dict[str, Any]:
    results = Results(findings, [Target("cli", ("cuda",), compile=True)], 1, 1, ["/work/demo/src/bad.py"])
    document: dict[str, Any] = json.loads(json_document(results, View(BASE)))
    validate(document, CHECK_SCHEMA)
    return document


@pytest.mark.parametrize("name", ["check", "table", "changes"])
def test_a_schema_is_one_itself(name: str) -> None:
    import_module("jsonschema").Draft202012Validator.check_schema(schema(name))


def test_a_schema_allows_nothing_beside_what_it_names() -> None:
    for document, described in (
        (json.loads(written("json")), CHECK_SCHEMA),
        (json.loads(table_document([], [], BASE)), TABLE_SCHEMA),
        (json.loads(changes_document(Comparison(Revision(BASE, "main", "0" * 40), [], []))), schema("changes")),
    ):
        validate(document, described)
        with pytest.raises(Exception, match="Additional properties are not allowed"):
            validate(document | {"more": 1}, described)


@settings(max_examples=30, deadline=None)
@given(findings=st.lists(FINDINGS, max_size=2))
def test_whatever_is_found_it_is_valid_and_no_half_of_a_pair(findings: list[Finding]) -> None:
    document = json.loads(written("json", *findings))

    validate(document, CHECK_SCHEMA)
    json.dumps(document, ensure_ascii=False).encode("utf-8")


def test_what_no_encoding_holds_is_written_as_an_escape() -> None:
    name = Finding("OPC001", "unreadable-file", "x \udcff", (Label(SPAN, "é", primary=True),))

    [finding] = _check(name)["findings"]

    assert (finding["message"], finding["spans"][0]["label"]) == ("x \\udcff", "é")


def test_a_run_without_findings() -> None:
    assert _check() == {
        "schema_version": 1,
        "tool": {"name": "opcheck", "version": version("opcheck")},
        "targets": [
            {"name": "cli", "backends": ["cuda"], "autodiff": False, "compile": True, "vmap": False, "features": []}
        ],
        "findings": [],
        "files": {"read": 1, "candidates": 1, "failed": ["src/bad.py"]},
        "summary": {"error": 0, "warning": 0},
    }


def test_every_field_of_a_finding() -> None:
    finding = Finding(
        "OPC101",
        "backend-not-supported",
        "a hole",
        (Label(SPAN, "here", primary=True),),
        op="ns::op",
        framework="torch",
        backend="cuda",
        context="forward",
        targets=("cli",),
        notes=("a fact",),
        help="do this",
        error=PredictedError("call", "NotImplementedError", "Could not run 'ns::op'"),
    )

    document = _check(finding, Finding("OPC001", "unreadable-file", "x", finding.labels, Severity.WARNING))

    assert document["summary"] == {"error": 1, "warning": 1}
    assert document["findings"][1]["predicted_error"] is None
    assert document["findings"][0] == {
        "code": "OPC101",
        "rule": "backend-not-supported",
        "severity": "error",
        "op": "ns::op",
        "framework": "torch",
        "targets": ["cli"],
        "backend": "cuda",
        "context": "forward",
        "condition": None,
        "message": "a hole",
        "notes": ["a fact"],
        "help": "do this",
        "predicted_error": {"when": "call", "type": "NotImplementedError", "message": "Could not run 'ns::op'"},
        "spans": [
            {
                "path": "src/a.py",
                "line": 3,
                "column": 1,
                "end_line": 3,
                "end_column": 9,
                "label": "here",
                "primary": True,
            }
        ],
        "fix": None,
        "fingerprint": FINGERPRINT,
    }


def _cell(backend: str, *outcomes: Outcome) -> Cell:
    return Cell(backend, "forward", outcomes)


def _op(*cells: Cell, defined: bool = True) -> Op:
    found = {(cell.backend, cell.context): cell for cell in cells}
    return Op("ns::op", "op", "torch", SPAN, SPAN, SPACE.true, found, has_definition=defined)


def _tables(op: Op, *machines: Target, facts: dict[str, bool] | None = None) -> list[Table]:
    project = Project({"torch": FRAMEWORK}, (op,))
    return [Table(project, machine, lambda atom: (facts or {}).get(atom.subject)) for machine in machines]


def _table(op: Op, *machines: Target, columns: tuple[str, ...] = ()) -> dict[str, Any]:
    found = list(entries(op, _tables(op, *machines), columns, BASE))
    document: dict[str, Any] = json.loads(table_document(["t"], [(op, found)], BASE))
    validate(document, TABLE_SCHEMA)
    return document


def test_a_table_has_a_cell_for_every_backend_the_framework_knows() -> None:
    covered = Outcome(SPACE.true, Status.COVERED, f"kernel registered at {BASE}/src/b.py:9", via="CPU", span=ELSEWHERE)
    op = _op(_cell("cpu", covered), _cell("cuda", Outcome(SPACE.true, Status.HOLE, "no kernel")))

    assert _table(op, Target("t", ("cpu",))) == {
        "schema_version": 1,
        "targets": ["t"],
        "ops": [
            {
                "op": "ns::op",
                "framework": "torch",
                "path": "src/a.py",
                "line": 3,
                "external": False,
                "defined": True,
                "cells": [
                    {
                        "target": "t",
                        "backend": "cpu",
                        "context": "forward",
                        "status": "covered",
                        "via": "CPU",
                        "condition": None,
                        "reason": "kernel registered at src/b.py:9",
                    },
                    {
                        "target": "t",
                        "backend": "cuda",
                        "context": "forward",
                        "status": "hole",
                        "via": None,
                        "condition": None,
                        "reason": "no kernel",
                    },
                ],
            }
        ],
    }
    assert [cell["backend"] for cell in _table(op, Target("t", ("cpu",)), columns=("cuda",))["ops"][0]["cells"]] == [
        "cuda"
    ]


def test_a_conditional_cell_says_what_covers_it() -> None:
    fast = SPACE.atom("pkg.FAST")
    op = _op(_cell("cpu", Outcome(fast, Status.COVERED, "kernel", via="CPU"), Outcome(~fast, Status.HOLE, "no kernel")))

    cell = _table(op, Target("t", ("cpu",)))["ops"][0]["cells"][0]

    assert (cell["status"], cell["via"], cell["condition"]) == ("conditional", "CPU", "pkg.FAST")
    assert cell["reason"] == "kernel; no kernel"


def test_a_cell_that_one_kernel_or_another_covers_says_what_the_first_needs() -> None:
    fast = SPACE.atom("pkg.FAST")
    tuned = Outcome(fast, Status.COVERED, "tuned kernel", via="CPU")
    op = _op(_cell("cpu", tuned, Outcome(~fast, Status.COVERED, "kernel for all", via="CompositeExplicitAutograd")))

    cell = _table(op, Target("t", ("cpu",)))["ops"][0]["cells"][0]

    assert (cell["status"], cell["condition"]) == ("conditional", "pkg.FAST")
    assert cell["reason"] == "tuned kernel; kernel for all"


def test_a_hole_says_which_guard_would_have_to_hold() -> None:
    fast = SPACE.atom("pkg.FAST")
    op = _op(_cell("cpu", Outcome(fast, Status.COVERED, "kernel", via="CPU"), Outcome(~fast, Status.HOLE, "no kernel")))

    [entry] = entries(op, _tables(op, Target("t", ("cpu",)), facts={"pkg.FAST": False}), (), BASE)

    assert (entry.status, entry.via, entry.condition, entry.reason) == (Status.HOLE, None, "pkg.FAST", "no kernel")


def test_a_target_of_several_machines_shows_the_least_that_any_has() -> None:
    on_cuda = SPACE.atom("torch.cuda.is_available()")
    op = _op(
        _cell(
            "cpu", Outcome(on_cuda, Status.COVERED, "kernel", via="CPU"), Outcome(~on_cuda, Status.HOLE, "no kernel")
        ),
        _cell("mps", Outcome(SPACE.true, Status.EXCLUDED, "left out")),
    )
    cuda, mps = Target("t", ("cpu", "cuda")), Target("t", ("cpu", "mps"))
    project = Project({"torch": FRAMEWORK}, (op,))
    machines = [Table(project, cuda, lambda _: True), Table(project, mps, lambda _: False)]

    found = {entry.backend: entry for entry in entries(op, machines, (), BASE)}

    assert found["cpu"].status is Status.HOLE
    assert found["mps"].status is Status.EXCLUDED
    assert found["mps"].asked


def test_an_op_that_is_not_there_under_the_target_says_so() -> None:
    op = Op("ns::op", "op", "torch", SPAN, SPAN, SPACE.false, {("cpu", "forward"): _cell("cpu")})

    [entry] = entries(op, _tables(op, Target("t", ("cpu",))), (), BASE)

    assert entry.reason == "the op is not defined under this target"


def test_a_stub_and_a_kernel_of_its_own_are_told() -> None:
    stub = Stub(SPAN, PredictedError("call", "NotImplementedError", "no"))
    op = _op(_cell("cpu", Outcome(SPACE.true, Status.COVERED, "kernel", named=True, stub=stub)), defined=False)

    [entry] = entries(op, _tables(op, Target("t", ("cpu",))), (), BASE)

    assert (entry.stub, entry.named, entry.asked) == (True, True, False)

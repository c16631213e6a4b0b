"""What became of cells, and how it is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click import unstyle
from tests.lint.report.samples import schema, validate

from opcheck.report.changes.json import changes_document
from opcheck.report.changes.text import changes_text
from opcheck.report.changes.told import summary
from opcheck.report.entries import Entry, Row
from opcheck.report.tables.tables import columns_of
from opcheck.since.changes import Direction, changes
from opcheck.since.comparison import Comparison
from opcheck.since.git import Revision
from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Op, Status

SPAN = Span("/demo/a.py", 1, 1, 1, 2)


def _entry(status: Status, *, backend: str = "cpu", asked: bool = True, stub: bool = False) -> Entry:
    condition = "pkg.FAST" if status is Status.CONDITIONAL else None
    return Entry("serve", backend, "forward", status, None, condition, f"is {status}", asked, stub=stub)


def _row(name: str, *entries: Entry) -> Row:
    return Op(name, name, "torch", SPAN, SPAN, Conditions().true, {}), entries


def _comparison(*states: tuple[list[Row], list[Row]]) -> Comparison:
    rows = [row for state in states for side in state for row in side]
    found = changes(states, columns_of(rows, all_columns=False))
    return Comparison(Revision(Path("/demo"), "main", "0123456789abcdef" * 3), ["serve"], found)


@pytest.mark.parametrize(
    ("was", "now", "direction"),
    [
        (_entry(Status.COVERED), _entry(Status.HOLE), Direction.LOST),
        (_entry(Status.COVERED), _entry(Status.CONDITIONAL), Direction.LOST),
        (_entry(Status.COVERED), _entry(Status.COVERED, stub=True), Direction.LOST),
        (_entry(Status.CONDITIONAL), _entry(Status.EXCLUDED), Direction.LOST),
        (_entry(Status.HOLE), _entry(Status.CONDITIONAL), Direction.GAINED),
        (_entry(Status.HOLE, asked=False), _entry(Status.COVERED), Direction.GAINED),
        (_entry(Status.COVERED), _entry(Status.UNKNOWN), Direction.UNCLEAR),
        (_entry(Status.UNKNOWN), _entry(Status.COVERED), Direction.UNCLEAR),
        (_entry(Status.UNKNOWN), _entry(Status.UNKNOWN), None),
        (_entry(Status.HOLE), _entry(Status.EXCLUDED), None),
        (_entry(Status.COVERED), _entry(Status.COVERED), None),
    ],
)
def test_a_cell_is_lost_or_gained_by_what_a_call_gets(was: Entry, now: Entry, direction: Direction | None) -> None:
    found = _comparison(([_row("ns::op", was)], [_row("ns::op", now)]))

    assert [change.direction for change in found.changes] == ([direction] if direction else [])


def test_an_op_that_comes_or_goes_takes_its_cells_along() -> None:
    covered, hole = _entry(Status.COVERED), _entry(Status.HOLE, backend="cuda")
    found = _comparison(([_row("ns::gone", covered, hole)], [_row("ns::new", covered, hole)]))

    assert [(c.direction, c.op, c.column[1]) for c in found.changes] == [
        ("lost", "ns::gone", "cpu"),
        ("gained", "ns::new", "cpu"),
    ]


def test_projects_are_compared_each_with_itself_and_losses_come_first() -> None:
    covered, hole = _entry(Status.COVERED), _entry(Status.HOLE)
    found = _comparison(
        ([_row("ns::op", hole)], [_row("ns::op", covered)]), ([_row("ns::op", covered)], [_row("ns::op", hole)])
    )

    assert [change.direction for change in found.changes] == ["lost", "gained"]
    assert summary(found) == "Cells since `main` (0123456789): 1 lost, 1 gained."


def test_the_cells_of_an_op_that_went_the_same_way_are_told_at_once() -> None:
    backends = ("cpu", "cuda", "xpu", "mps", "hpu", "npu", "mtia", "maia", "vulkan")
    before = [_row("ns::\x1bop", *(_entry(Status.COVERED, backend=backend) for backend in backends))]
    now = [_row("ns::\x1bop", *(_entry(Status.UNKNOWN, backend=backend) for backend in backends))]

    lines = unstyle(changes_text(_comparison((before, now)))).splitlines()

    assert lines == [
        "unclear  ns::\N{REPLACEMENT CHARACTER}op  ok -> ?",
        "         serve cpu, serve cuda, serve xpu, serve mps, serve hpu, serve npu, serve mtia, serve maia,",
        "         serve vulkan: is unknown",
    ]


def test_the_document_is_as_its_schema_says_and_any_parser_takes_it() -> None:
    states = [_entry(status) for status in Status]
    before, now = [_row(f"ns::\ud800{entry.status}", entry) for entry in states], [_row("ns::new", *states)]

    document = json.loads(changes_document(_comparison((before, now))))

    validate(document, schema("changes"))
    json.dumps(document, ensure_ascii=False).encode("utf-8")
    assert "ns::\\ud800covered" in {change["op"] for change in document["changes"]}

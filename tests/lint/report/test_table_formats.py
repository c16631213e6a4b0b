"""Dispatch tables as Markdown and as CSV, whatever the names in them."""

from __future__ import annotations

import csv
from pathlib import PurePath

from msgspec.structs import replace

from opcheck.report.entries import Entry, Row
from opcheck.report.tables.csv import table_csv
from opcheck.report.tables.markdown import table_markdown
from opcheck.report.tables.tables import Tables, columns_of
from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Op, Status

SPAN = Span("/demo/a.py", 7, 1, 7, 2)


def _op(name: str, *, defined: bool = True) -> Op:
    return Op(name, name, "torch", SPAN, SPAN, Conditions().true, {}, has_definition=defined)


def _entry(
    target: str,
    backend: str,
    status: Status,
    *,
    context: str = "forward",
    asked: bool = True,
    condition: str | None = None,
    reason: str = "the reason",
    stub: bool = False,
) -> Entry:
    via = "CUDA" if status is Status.COVERED else None
    return Entry(target, backend, context, status, via, condition, reason, asked, stub=stub)


def _tables(*rows: Row, targets: tuple[str, ...] = ("serve",)) -> Tables:
    return Tables(targets, rows, columns_of(rows, all_columns=False), PurePath("/demo"))


def _csv(tables: Tables) -> list[dict[str, str]]:
    return list(csv.DictReader(table_csv(tables).splitlines()))


def test_markdown_has_a_table_for_each_target() -> None:
    first = (_op("ns::a"), [_entry("serve", "cuda", Status.HOLE), _entry("train", "cpu", Status.COVERED)])
    second = (_op("ns::b", defined=False), [_entry("train", "cpu", Status.COVERED, context="autodiff", stub=True)])

    text = table_markdown(_tables(first, second, targets=("serve", "train", "empty")))

    assert text.splitlines() == [
        "### `serve`",
        "",
        "| op | cuda |",
        "| --- | --- |",
        "| `ns::a` | **HOLE** |",
        "| `ns::b` (not defined) |  |",
        "",
        "### `train`",
        "",
        "| op | cpu | cpu autodiff |",
        "| --- | --- | --- |",
        "| `ns::a` | ok |  |",
        "| `ns::b` (not defined) |  | **stub** |",
        "",
        "`ok` covered, `HOLE` nothing covers it, `stub` its kernel only raises",
    ]


def test_markdown_gives_reasons_on_demand() -> None:
    conditional = _entry("serve", "cuda", Status.CONDITIONAL, condition="pkg.FAST")
    tables = _tables((_op("ns::a"), [conditional, _entry("serve", "cpu", Status.HOLE)]))

    assert table_markdown(replace(tables, with_reasons=True)).splitlines()[-2:] == [
        "- `ns::a` (cuda forward, `serve`): if, covered when `pkg.FAST`: the reason",
        "- `ns::a` (cpu forward, `serve`): **HOLE**: the reason",
    ]
    assert "pkg.FAST" not in table_markdown(tables)


def test_a_hostile_name_stays_in_its_cell_of_a_markdown_table() -> None:
    for name in ("a|b", "a\\|b", "a`<b>`", "@everyone|", "[x](y)\\"):
        row = table_markdown(_tables((_op(name), [_entry("serve", "cpu", Status.COVERED)])))
        (line,) = (line for line in row.splitlines() if line.endswith("| ok |"))
        assert line.startswith("| <code>")
        assert line.count("|") == 3
        assert not {"@", "[", "`", "\\"}.intersection(line)
    harmless = table_markdown(_tables((_op("<b>@x*\n"), [_entry("serve", "cpu", Status.COVERED)])))
    assert "| `<b>@x*\N{REPLACEMENT CHARACTER}` |" in harmless


def test_csv_has_a_row_a_cell_whatever_is_asked_for() -> None:
    entries = [
        _entry("serve", "cuda", Status.COVERED),
        _entry("serve", "cpu", Status.CONDITIONAL, asked=False, condition="a, b", reason='said "no"'),
    ]

    first, second = _csv(_tables((_op("ns::a", defined=False), entries)))

    assert first == {
        "op": "ns::a",
        "framework": "torch",
        "path": "a.py",
        "line": "7",
        "defined": "no",
        "target": "serve",
        "backend": "cuda",
        "context": "forward",
        "status": "covered",
        "mark": "ok",
        "asked": "yes",
        "via": "CUDA",
        "condition": "",
        "reason": "the reason",
    }
    assert (second["status"], second["mark"], second["asked"]) == ("conditional", "if", "no")
    assert (second["condition"], second["reason"]) == ("a, b", 'said "no"')


def test_no_name_is_a_formula_to_a_spreadsheet() -> None:
    rows = _csv(_tables((_op("=cmd|' /C calc'!A0"), [_entry("@x", "cpu", Status.HOLE)])))

    assert (rows[0]["op"], rows[0]["target"]) == ("'=cmd|' /C calc'!A0", "'@x")

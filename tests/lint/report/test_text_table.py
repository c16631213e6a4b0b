"""Dispatch tables as people read them."""

from __future__ import annotations

from pathlib import PurePath

from click import unstyle

from opcheck.report.entries import Entry, Row
from opcheck.report.tables.tables import Tables, columns_of
from opcheck.report.tables.text import table_text
from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Op, Status

SPAN = Span("/demo/a.py", 1, 1, 1, 2)
TRUE = Conditions().true


def _op(name: str, *, defined: bool = True) -> Op:
    return Op(name, name, "torch", SPAN, SPAN, TRUE, {}, has_definition=defined)


def _entry(
    backend: str,
    status: Status,
    *,
    target: str = "t",
    context: str = "forward",
    asked: bool = True,
    named: bool = False,
    stub: bool = False,
    condition: str | None = None,
) -> Entry:
    return Entry(target, backend, context, status, None, condition, "the reason", asked, named, stub)


def _lines(rows: list[Row], width: int = 100, *, all_columns: bool = False, with_reasons: bool = False) -> list[str]:
    tables = Tables(["t"], rows, columns_of(rows, all_columns=all_columns), PurePath(), width, with_reasons)
    return [line.rstrip() for line in unstyle(table_text(tables)).split("\n")]


def test_one_row_an_op_and_a_mark_for_each_status() -> None:
    rows: list[Row] = [
        (_op("ns::a"), [_entry("cpu", Status.COVERED), _entry("cuda", Status.HOLE)]),
        (_op("ns::longer"), [_entry("cpu", Status.CONDITIONAL), _entry("cuda", Status.UNKNOWN)]),
        (_op("ns::c", defined=False), [_entry("cpu", Status.EXCLUDED), _entry("cuda", Status.COVERED, stub=True)]),
        (_op("ns::d"), [_entry("cpu", Status.HOLE, asked=False)]),
        (_op("ns::e"), [_entry("cpu", Status.HOLE, asked=False, condition="pkg.FAST")]),
    ]

    assert _lines(rows, width=60) == [
        "                     t",
        "                     cpu   cuda",
        "ns::a                ok    HOLE",
        "ns::longer           if    ?",
        "ns::c (not defined)  n/a   stub",
        "ns::d                .",
        "ns::e                off",
        "",
        "ok: covered  HOLE: nothing covers it  if: depends on what",
        "the target leaves open  ?: not read  n/a: left out on",
        "purpose  stub: its kernel only raises  off: only behind what",
        "fails here, and not asked for  .: not covered, and not asked",
        "for",
    ]


def test_contexts_that_are_asked_for_are_columns_of_their_own() -> None:
    rows: list[Row] = [
        (_op("ns::a"), [_entry("cuda", Status.COVERED), _entry("cuda", Status.HOLE, context="autodiff")]),
    ]

    assert _lines(rows)[:4] == [
        "       t",
        "       cuda  cuda",
        "             autodiff",
        "ns::a  ok    HOLE",
    ]


def test_a_backend_that_is_not_asked_for_is_shown_where_an_op_serves_it_by_name() -> None:
    rows: list[Row] = [
        (
            _op("ns::a"),
            [
                _entry("cpu", Status.COVERED),
                _entry("xpu", Status.COVERED, asked=False, named=True),
                _entry("mps", Status.COVERED, asked=False),
            ],
        ),
    ]

    assert _lines(rows)[1].split() == ["cpu", "xpu"]
    assert _lines(rows, all_columns=True)[1].split() == ["cpu", "xpu", "mps"]


def test_a_target_stands_once_above_its_backends_however_long_its_name() -> None:
    def of(target: str, *backends: str) -> list[Entry]:
        return [_entry(backend, Status.COVERED, target=target) for backend in backends]

    rows: list[Row] = [(_op("ns::a"), [*of("production", "cpu", "cuda"), *of("evaluation", "mps"), *of("t", "cpu")])]

    assert _lines(rows)[:3] == [
        "       production  evaluation  t",
        "       cpu   cuda  mps         cpu",
        "ns::a  ok    ok    ok          ok",
    ]
    assert _lines(rows, width=25)[:8] == [
        "       production",
        "       cpu   cuda",
        "ns::a  ok    ok",
        "",
        "       evaluation  t",
        "       mps         cpu",
        "ns::a  ok          ok",
        "",
    ]


def test_many_columns_are_parted_into_blocks_that_fit() -> None:
    targets = [f"target{number}" for number in range(30)]
    rows: list[Row] = [(_op("ns::name"), [_entry("cuda", Status.COVERED, target=target) for target in targets])]

    lines = _lines(rows)

    assert all(len(line) <= 100 for line in lines)
    assert sum(line.startswith("ns::name") for line in lines) == 4
    assert [word for line in lines for word in line.split() if word.startswith("target")] == targets


def test_a_name_wider_than_the_page_still_has_its_columns() -> None:
    rows: list[Row] = [(_op("ns::" + "x" * 120), [_entry("cpu", Status.COVERED), _entry("cuda", Status.COVERED)])]

    assert sum(line.endswith("ok") for line in _lines(rows)) == 2


def test_reasons_are_given_for_what_is_asked_and_not_simply_covered() -> None:
    rows: list[Row] = [
        (
            _op("ns::a"),
            [
                _entry("cpu", Status.COVERED),
                _entry("cuda", Status.CONDITIONAL, condition="pkg.FAST"),
                _entry("xpu", Status.HOLE, asked=False),
                _entry("mps", Status.COVERED, stub=True),
            ],
        ),
    ]

    assert _lines(rows, with_reasons=True)[-3:] == [
        "",
        "ns::a (cuda forward, t): if, covered when pkg.FAST: the reason",
        "ns::a (mps forward, t): stub: the reason",
    ]


def test_without_a_target_that_asks_there_are_no_columns() -> None:
    assert _lines([(_op("ns::a"), [_entry("cpu", Status.HOLE, asked=False)])]) == [""]

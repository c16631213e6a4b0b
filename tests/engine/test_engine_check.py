"""From a reading to findings: one a cell, one for all targets, and one for many that hang on the same guard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from opcheck.config import unconfigured
from opcheck.discovery import files_at
from opcheck.engine import check, fold, fold_alike, most_specific, tables, with_calls
from opcheck.read import read
from opcheck.reading import Reading
from opcheck.report.entries import entries
from opcheck.report.tables.marks import OK, is_wanting, mark
from opcheck_rules import ALL_RULES
from opcheck_rules.model.finding import Finding, Label, Severity, Span
from opcheck_rules.model.target import Target

CPU_ONLY = """
import torch
torch.library.define("ns::op", "(Tensor x) -> Tensor")
torch.library.impl("ns::op", "cpu", lambda x: x)
"""


def _reading(folder: Path, source: str) -> Reading:
    path = folder / "pkg.py"
    path.write_text(source)
    return read(unconfigured(folder), files_at(folder, (path,), frozenset({path})))


def _finding(code: str, op: str | None = "ns::op", *, line: int = 1, **fields: Any) -> Finding:
    label = Label(Span("/pkg.py", line, 1, line, 9), "here", primary=True)
    return Finding(code, "a-rule", "a message", (label,), op=op, **fields)


def test_a_target_is_checked_for_each_machine_it_stands_for(tmp_path: Path) -> None:
    reading = _reading(tmp_path, CPU_ONLY)
    target = Target("all", ("cpu", "cuda", "mps"))

    assert [table.target.backends for table in tables(reading, target)] == [("cpu", "cuda"), ("cpu", "mps")]
    found = check(reading, [target, Target("gpu", ("cuda",))], ALL_RULES)
    assert [(f.code, f.backend, f.targets) for f in found] == [
        ("OPC101", "cuda", ("all", "gpu")),
        ("OPC101", "mps", ("all",)),
    ]


def test_of_several_findings_on_a_cell_the_most_specific_is_kept() -> None:
    found = [_finding("OPC101", backend="cuda"), _finding("OPC102", backend="cuda"), _finding("OPC101", backend="xpu")]

    assert [(f.code, f.backend) for f in most_specific(found)] == [("OPC102", "cuda"), ("OPC101", "xpu")]


def test_a_finding_about_an_op_speaks_for_its_cells() -> None:
    assert [f.code for f in most_specific([_finding("OPC101", backend="cuda"), _finding("OPC405")])] == ["OPC405"]


@pytest.mark.parametrize(
    "other",
    [
        _finding("OPC201", backend="cuda"),
        _finding("OPC901", backend="cuda"),
        _finding("OPC101", op="ns::other", backend="cuda"),
        _finding("OPC101", op=None, backend="cuda"),
        _finding("OPC102", backend="cuda", line=2),
    ],
)
def test_findings_about_something_else_are_kept(other: Finding) -> None:
    assert len(most_specific([_finding("OPC102", backend="cuda"), other])) == 2


def test_a_call_is_shown_at_the_cells_that_it_runs_into() -> None:
    doubt = _finding("OPC102", backend="cuda", targets=("a",), severity=Severity.WARNING, condition="a guard")
    certain = _finding("OPC101", backend="cuda", targets=("b",))
    calls = [_finding("OPC501", backend="cuda", line=line) for line in (7, 8)]
    elsewhere = _finding("OPC501", backend="xpu", line=9)

    found = with_calls([doubt, *calls, certain, elsewhere])

    assert [(f.code, f.severity, f.condition) for f in found] == [
        ("OPC102", Severity.ERROR, None),
        ("OPC101", Severity.ERROR, None),
        ("OPC501", Severity.ERROR, None),
    ]
    assert [[(label.span.line, label.primary) for label in f.labels] for f in found] == [
        [(1, True), (7, False)],
        [(1, True), (7, False)],
        [(9, True)],
    ]


def test_the_most_severe_speaks_for_all_targets() -> None:
    one = _finding("OPC102", targets=("a",), severity=Severity.WARNING, notes=("doubt",))
    other = _finding("OPC102", targets=("b",), notes=("certain",))

    for pair in ([one, other], [other, one]):
        (joined,) = fold(pair)
        assert (joined.severity, joined.notes, set(joined.targets)) == (Severity.ERROR, ("certain",), {"a", "b"})
        assert len(joined.labels) == 1


def test_many_ops_behind_one_guard_are_one_finding() -> None:
    behind = [
        _finding("OPC102", f"ns::op{i}", line=i, severity=Severity.WARNING, condition="platform.key == 'CUDA'")
        for i in (3, 1, 2, 4, 2)
    ]
    (one,) = fold_alike(behind)

    assert (one.op, one.notes) == ("ns::op1", ("the same holds for 4 more: `ns::op2`, `ns::op3`, `ns::op4`",))


@pytest.mark.parametrize("fields", [{}, {"condition": "a guard"}, {"severity": Severity.WARNING}])
def test_what_is_certain_or_hangs_on_nothing_stays_apart(fields: dict[str, Any]) -> None:
    assert len(fold_alike([_finding("OPC102", f"ns::op{i}", line=i, **fields) for i in range(5)])) == 5


def test_a_few_ops_behind_one_guard_stay_apart() -> None:
    few = [_finding("OPC102", f"ns::op{i}", severity=Severity.WARNING, condition="a guard") for i in range(3)]

    assert fold_alike(few) == few


TUNED = """
import os, torch
torch.library.define("ns::op", "(Tensor x) -> Tensor")
torch.library.impl("ns::op", "default", lambda x: x)
if other.tuned():
    torch.library.impl("ns::op", "cpu", lambda x: x)
"""


def test_a_cell_that_one_kernel_or_another_always_covers(tmp_path: Path) -> None:
    reading = _reading(tmp_path, "import other\n" + TUNED)
    (table,) = tables(reading, Target("m", ("cpu",)))
    op = reading.project.ops[0]
    found = [e for e in entries(op, [table], (), tmp_path) if (e.backend, e.context) == ("cpu", "forward")]

    assert [(e.status, e.via, e.condition, e.always) for e in found] == [("conditional", "CPU", "other.tuned()", True)]
    assert [(mark(entry), is_wanting(entry)) for entry in found] == [(OK, False)]

"""What services know findings by: one for each, and the same wherever the code has moved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from opcheck.report.fingerprints import fingerprints
from opcheck_rules.model.finding import Finding, Label, Span

BASE = Path("/project")


def _finding(op: str | None, *, line: int = 1, path: str = "/project/pkg/ops.py", **fields: Any) -> Finding:
    span = Span(path, line, 1, line, 5)
    return Finding("OPC101", "name", "message", (Label(span, "here", primary=True),), op=op, **fields)


def _identities(*findings: Finding, base: Path = BASE) -> list[str]:
    return list(fingerprints(findings, base))


def test_a_finding_about_an_op_is_known_wherever_it_stands() -> None:
    moved = _finding("pkg.op", line=7, path="/project/other/ops.py", targets=("other",))

    assert _identities(_finding("pkg.op")) == _identities(moved)
    assert _identities(_finding("pkg.op")) != _identities(_finding("pkg.op", backend="cupy"))
    assert _identities(_finding("pkg.op")) != _identities(_finding("pkg.op", subject="pkg.f"))


def test_one_about_no_op_is_known_by_its_file_below_the_working_directory() -> None:
    here, there = _finding(None, path="/project/a/__init__.py"), _finding(None, path="/project/b/__init__.py")

    assert _identities(here) == _identities(_finding(None, line=7, path="/project/a/__init__.py"))
    assert _identities(here) != _identities(there)
    assert _identities(here) == _identities(_finding(None, path="/clone/a/__init__.py"), base=Path("/clone"))


def test_findings_that_are_alike_stay_apart_and_the_first_is_known_as_if_it_were_alone() -> None:
    found = [_finding("pkg.op", line=line) for line in (1, 2, 3)]

    assert len(set(_identities(*found))) == 3
    assert _identities(*found)[0] == _identities(found[2])[0]
    assert all(len(identity) == 16 for identity in _identities(*found))

"""An explanation for people: what was written, then what each target makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Final

from opcheck.report.places import reason, shown
from opcheck.report.snippet import wrapped
from opcheck.report.source import printable
from opcheck_rules.base import in_short
from opcheck_rules.model.finding import Finding, Span
from opcheck_rules.model.project import Outcome, Status

from .explanation import CellStory, Explanation, MachineStory, Standing
from .known import Known
from .pieces import Piece

_ANSWERS: Final = {True: "yes", False: "no", None: "open"}
_WIDEST: Final = 40
_ABSENT: Final = {False: "not there", None: "may be there"}


def explanation_lines(told: Explanation, base: PurePath, width: int) -> Iterator[str]:
    """The explanation in lines of at most `width`, where their words allow it."""
    for indent, text in _paragraphs(told, base):
        hanging = " " * (indent + 2)
        first, *rest = wrapped(printable(text), width - indent - 2)
        yield (" " * indent + first).rstrip()
        yield from (hanging + row for row in rest)


def _paragraphs(told: Explanation, base: PurePath) -> Iterator[tuple[int, str]]:
    where = f", defined at {_place(told.span, base)}" if told.span else ", which nothing that was read defines"
    yield 0, f"{told.rule.code} {told.rule.name} of `{told.name}`{where}"
    yield 0, ""
    yield 0, "What was written:" if told.pieces else "Nothing that was read bears on it."
    yield from ((2, line) for line in _aligned([_piece(piece, base) for piece in told.pieces]))
    for machine in told.machines:
        yield 0, ""
        yield from _machine(told, machine, base)


def _piece(piece: Piece, base: PurePath) -> tuple[str, str, str]:
    what = f"{piece.kind} {piece.key or ''}".strip()
    guard = "always" if piece.condition.holds else f"if {in_short(piece.condition)}"
    return what, _place(piece.span, base), f"{guard}; {piece.detail}" if piece.detail else guard


def _machine(told: Explanation, machine: MachineStory, base: PurePath) -> Iterator[tuple[int, str]]:
    yield 0, f"Under target `{machine.target.name}` ({', '.join(machine.target.backends) or 'no backend'}):"
    if machine.defined and machine.defined.holds is not True:
        yield 2, f"the op {_stands(machine.defined, 'defined')}"
    for piece, standing in zip(told.pieces, machine.pieces, strict=True):
        if standing.holds is not True:
            yield 2, f"{_ABSENT[standing.holds]}: {' '.join(_piece(piece, base)[:2])}"
    if told.framework and not machine.cells:
        yield 2, f"it lists no backend of the op's framework, {told.framework}"
    yield from (paragraph for cell in machine.cells for paragraph in _cell(cell, base))
    if machine.facts:
        yield 2, "decided by:"
        yield from ((4, line) for line in _aligned([_fact(fact) for fact in machine.facts]))
    yield from ((2, line) for line in _outcome(told, machine.findings))


def _cell(cell: CellStory, base: PurePath) -> Iterator[tuple[int, str]]:
    what = f"{cell.backend} {cell.context}: {cell.status}{'' if cell.asked else ', not asked for'}"
    if [possible.standing.holds for possible in cell.possibilities] == [True]:
        yield 2, f"{what}: {_reason(cell.possibilities[0].outcome, base)}"
        return
    yield 2, what
    for possible in cell.possibilities:
        yield 4, _stands(possible.standing, f"{possible.outcome.status}: {_reason(possible.outcome, base)}")


def _stands(standing: Standing, what: str) -> str:
    changes = " and ".join(standing.levers)
    if standing.holds:
        return f"is {what}"
    if standing.holds is None:
        return f"may be {what}, if {standing.left}; settle it with {changes}"
    return f"would be {what}, with {changes}" if changes else f"can't be {what}"


def _fact(fact: Known) -> tuple[str, str, str]:
    return fact.atom.render(), _ANSWERS[fact.holds], fact.detail


def _outcome(told: Explanation, findings: Sequence[Finding]) -> Iterator[str]:
    own = [finding for finding in findings if finding.code == told.rule.code]
    if not own:
        others = ", ".join(dict.fromkeys(finding.code for finding in findings))
        yield f"{told.rule.code} is not found here{f'; {others} is' if others else ''}"
    for finding in own:
        yield f"found: {finding.severity}: {finding.message}"
    yield from dict.fromkeys(f"to change it: {finding.help}" for finding in own if finding.help)


def _aligned(rows: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """Rows whose first two columns are as wide as the widest that leaves room for the third."""
    widths = [max((len(row[column]) for row in rows if len(row[column]) <= _WIDEST), default=0) for column in (0, 1)]
    return (f"{one:<{widths[0]}}  {two:<{widths[1]}}  {three}" for one, two, three in rows)


def _place(span: Span, base: PurePath) -> str:
    return f"{shown(span.path, base)}:{span.line}"


def _reason(outcome: Outcome, base: PurePath) -> str:
    why = reason(outcome, base)
    if outcome.stub is None or outcome.status is Status.HOLE:
        return why
    return f"{why}, which only raises {outcome.stub.raises.type}"

"""How to meet a finding about an op of a dispatcher that a configuration describes."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from opcheck_rules.model.finding import Finding, PredictedError
from opcheck_rules.model.project import Outcome, Status
from opcheck_rules.model.table import Table

from .pieces.described import bare, found, invoke
from .script import Steps
from .spelling import importing

_PIECES: Final = (found, bare, invoke)
_ANY: Final = PredictedError("call", "Exception", "")


def steps(finding: Finding, table: Table, modules: Mapping[str, str]) -> Steps | str:
    """The steps that raise what was predicted in a hole; or why there are none."""
    hole = next(_holes(finding, table), None)
    if hole is None:
        return "nothing is raised"
    if hole.meeting is None:
        return f"the description of `{finding.framework}` has no `call`"
    pieces = [piece for piece in _PIECES if f"{piece.__name__}(" in hole.meeting]
    needed = [found, *pieces] if bare in pieces else pieces
    imports = dict.fromkeys(_imported(hole.meeting, {piece.__name__ for piece in pieces}, modules))
    return Steps(finding.error or _ANY, (hole.meeting,), pieces=needed, before=tuple(map(importing, imports)))


def _holes(finding: Finding, table: Table) -> Iterator[Outcome]:
    """The holes of the cell that a finding is about, as the target has it."""
    place = (finding.backend or "", finding.context or "")
    named = (op for op in table.project.ops if (op.framework, op.name) == (finding.framework, finding.op))
    for op, cell in [(op, op.cells[place]) for op in named if place in op.cells]:
        yield from (live.outcome for live in table.live(op, cell).of(Status.HOLE))


def _imported(expression: str, own: Collection[str], modules: Mapping[str, str]) -> Iterator[str]:
    """The modules that an expression names, each by as much of its path as is one."""
    for node in ast.walk(ast.parse(expression)):
        path = ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
        is_module = isinstance(node, ast.Name) and path not in own and not hasattr(builtins, path)
        if path in modules or is_module:
            yield path

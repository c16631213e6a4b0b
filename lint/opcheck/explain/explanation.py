"""How the cells of one op came about, as far as they concern one rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from opcheck.engine import findings, tables
from opcheck.reading import Environment, Reading
from opcheck_rules import ALL_RULES
from opcheck_rules.base import Rule, in_short
from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Finding, Span
from opcheck_rules.model.project import Cell, Op, Outcome, Project, Status
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

from .known import Known, known
from .levers import levers
from .pieces import Piece, pieces

_CONTEXTS: Final = {
    **dict.fromkeys(("OPC201", "OPC202", "OPC203", "OPC205", "OPC503"), ("autodiff",)),
    **dict.fromkeys(("OPC204", "OPC601", "OPC602"), ("forward", "autodiff")),
    **dict.fromkeys(("OPC301", "OPC408"), ("compile",)),
    "OPC302": ("vmap",),
}
"""The contexts of the cells that a rule is about, where that is not the forward call alone."""


class Standing(Struct, frozen=True):
    """A condition under a target: True where it holds, False where it fails, else None with what is `left` open.

    `levers` are the changes of the target under which it would hold.
    """

    holds: bool | None
    left: str | None
    levers: tuple[str, ...]


class Possibility(Struct, frozen=True):
    """What a cell may come to, and how that stands."""

    outcome: Outcome
    standing: Standing


class CellStory(Struct, frozen=True):
    """One cell: its status under the target, whether the target asks for it, and all that it may come to."""

    backend: str
    context: str
    status: Status
    asked: bool
    possibilities: tuple[Possibility, ...]


class MachineStory(Struct, frozen=True):
    """What one machine of a target makes of an op.

    `pieces` are the standings of the explanation's pieces, in their order; `defined` is that of the op itself. `facts`
    are those that decide any of it, and `findings` are what all rules find of the op here.
    """

    target: Target
    defined: Standing | None
    pieces: tuple[Standing, ...]
    cells: tuple[CellStory, ...]
    facts: tuple[Known, ...]
    findings: tuple[Finding, ...]


class Explanation(Struct, frozen=True):
    """An op as a rule sees it: what was written that bears on it, and what each machine of a target makes of that."""

    rule: Rule
    name: str
    framework: str | None
    span: Span | None
    pieces: tuple[Piece, ...]
    machines: tuple[MachineStory, ...]


def known_ops(project: Project) -> set[str]:
    """Every name that something declares, completes or calls an op by."""
    names = {op.name for op in project.ops} | {use.op for use in project.uses}
    return names | {registration.op for registration in project.registrations if registration.op}


def explain(rule: Rule, name: str, reading: Reading, targets: Iterable[Target]) -> Explanation:
    """Explain what `rule` finds of the op called `name`, or why it finds nothing."""
    op = next((op for op in reading.project.ops if op.name == name), None)
    machines = [table for target in targets for table in tables(reading, target)]
    contexts = _CONTEXTS.get(rule.code, ("forward",))
    backends = {backend for table in machines for backend in (table.backends(op) if op else ())}
    bearing = tuple(dict.fromkeys(pieces(reading.project, name, rule, contexts, backends)))
    stories = tuple(_machine(reading, op, name, bearing, contexts, table) for table in machines)
    defined_at = op.span if op and op.has_definition else None
    return Explanation(rule, name, op.framework if op else None, defined_at, bearing, stories)


def _machine(
    reading: Reading, op: Op | None, name: str, bearing: Sequence[Piece], contexts: Sequence[str], table: Table
) -> MachineStory:
    wanted = table.backends(op) if op else ()
    cells = [op.cells[b, c] for c in contexts for b in wanted if (b, c) in op.cells] if op else []
    defined = op.defined if op and op.has_definition else None
    conditions = [piece.condition for piece in bearing] + [o.condition for cell in cells for o in cell.outcomes]
    stand = partial(standing, table=table, environment=reading.environment)
    return MachineStory(
        table.target,
        stand(defined) if defined else None,
        tuple(stand(piece.condition) for piece in bearing),
        tuple(_cell(op, cell, table, stand) for cell in cells) if op else (),
        tuple(_facts([*conditions, *([defined] if defined else [])], table, reading.environment)),
        tuple(f for f in findings(reading, [table.target], ALL_RULES) if f.op == name),
    )


def standing(condition: Condition, table: Table, environment: Environment) -> Standing:
    """How a condition stands under the target of `table`."""
    left = condition.under(table.decide)
    if left.holds:
        return Standing(True, None, ())
    open_part = None if left.fails else in_short(left)
    return Standing(False if left.fails else None, open_part, levers(condition, table, environment))


def _cell(op: Op, cell: Cell, table: Table, stand: Callable[[Condition], Standing]) -> CellStory:
    asked = cell.context in table.target.contexts and op.has_definition and table.target.wants(op.name)
    possibilities = tuple(Possibility(outcome, stand(outcome.condition)) for outcome in cell.outcomes)
    return CellStory(cell.backend, cell.context, table.live(op, cell).status, asked, possibilities)


def _facts(conditions: Iterable[Condition], table: Table, environment: Environment) -> Iterator[Known]:
    """What decides conditions, and what they still hang on: not what is open and no longer matters."""
    found = dict[Atom, None]()
    for condition in conditions:
        left = condition.under(table.decide).support()
        found |= dict.fromkeys(a for a in condition.support() if a in left or table.decide(a) is not None)
    return (known(atom, table, environment) for atom in found)

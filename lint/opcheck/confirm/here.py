"""This machine as a target: which of the findings are to be expected on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from msgspec import Struct
from msgspec.structs import replace

from opcheck_rules.base import Rule
from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition, Decide
from opcheck_rules.model.finding import Finding
from opcheck_rules.model.project import Project
from opcheck_rules.model.table import Table

from ..symbolic.answers import answer, numbers, version
from ..symbolic.derived import NEWEST_TORCH
from .process import Interpreter, ask

_TORCH: Final = "torch.__version__"


class Machine(Struct, frozen=True):
    """What was asked of this machine, by the expression that guards test."""

    answers: Mapping[str, Any]

    def decide(self, elsewhere: Decide) -> Decide:
        """Answer atoms as they are here; what could not be asked is taken as it is `elsewhere`."""

        def here(atom: Atom) -> bool | None:
            found = _holds(atom, self.answers[atom.subject]) if atom.subject in self.answers else None
            return elsewhere(atom) if found is None else found

        return here

    def other_torch(self) -> str | None:
        """Why PyTorch may say something else here than was predicted: its words are those of one version."""
        here, ours = version(self.answers.get(_TORCH)), version(NEWEST_TORCH)
        if here is None or ours is None or here.release[:2] == ours.release[:2]:
            return None
        return f"torch is {here} here, and what is predicted are the words of {NEWEST_TORCH}"

    def expected(self, table: Table, rules: Iterable[Rule]) -> dict[object, Finding]:
        """What the rules find with the facts of this machine, by what tells findings apart."""
        here = replace(table, decide=self.decide(table.decide))
        found = [finding for rule in rules for finding in rule.check(rule, here)]
        return {finding.identity: finding for finding in reversed(found)}

    def differences(self, finding: Finding, table: Table) -> Iterator[str]:
        """The facts that are not here as they are under the target, among those that the finding's op depends on."""
        here = self.decide(table.decide)
        for atom in _atoms(_conditions(table.project, [finding])):
            there, now = table.decide(atom), here(atom)
            if now is not None and now is not there:
                said = "not known" if there is None else str(there).lower()
                yield f"`{atom.render()}` is {str(now).lower()} here, and {said} under target `{table.target.name}`"


def this_machine(
    interpreter: Interpreter, project: Project, findings: Sequence[Finding], roots: Sequence[str]
) -> Machine:
    """Ask this machine what the guards around the findings' ops ask."""
    subjects = dict.fromkeys(atom.subject for atom in _atoms(_conditions(project, findings)))
    subjects |= {_TORCH: None} if any(finding.framework == "torch" for finding in findings) else {}
    if not subjects:
        return Machine({})
    answers = ask(interpreter, {"roots": list(roots), "subjects": list(subjects)})
    return Machine({subject: _as_tuple(value) for subject, value in answers.items()})


def _as_tuple(value: Any) -> Any:
    """A value as it was before it was written as JSON, which has no tuples."""
    return tuple(cast("list[object]", value)) if isinstance(value, list) else value


def _holds(atom: Atom, value: Any) -> bool | None:
    """What an atom comes to for a value of its subject; a sequence is compared with a tuple item by item."""
    if not isinstance(value, tuple):
        return answer(atom, value)
    shown, operand = cast("tuple[int, ...]", value), numbers(atom.operand)
    if not isinstance(atom.operand, tuple):
        return None
    return {"==": shown == operand, "<": shown < operand, "<=": shown <= operand}.get(atom.operator)


def _atoms(conditions: Iterable[Condition]) -> dict[Atom, None]:
    return dict.fromkeys(atom for condition in conditions for atom in condition.support())


def _conditions(project: Project, findings: Iterable[Finding]) -> Iterator[Condition]:
    """Whatever decides whether findings come about: the guards of their ops, of what completes them and uses them."""
    names = {finding.op for finding in findings}
    for op in project.ops:
        if op.name in names:
            yield op.defined
            yield from (outcome.condition for cell in op.cells.values() for outcome in cell.outcomes)
    for stated in (project.registrations, project.uses, project.gates):
        yield from (one.condition for one in stated if one.op in names)
    yield from (enabling.condition for enabling in project.enablings)

"""The dispatch table of one target: a project's outcomes, with the target's facts applied."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from .condition import Condition, Decide
from .project import Cell, Op, Outcome, Project, Registration, Status, Use
from .target import Target


class LiveOutcome(Struct, frozen=True):
    """An outcome that can come about under the target, and the condition that is still open (within `defined`)."""

    outcome: Outcome
    condition: Condition
    certain: bool


class LiveCell(Struct, frozen=True):
    """One cell of the table: its op, what can come about, and the status that makes."""

    op: Op
    cell: Cell
    outcomes: tuple[LiveOutcome, ...]
    defined: bool

    @property
    def status(self) -> Status:
        """The one status, when every world agrees on it; a hole where the op does not exist.

        A cell that different kernels cover in different worlds is conditional: which of them runs is open.
        """
        if not self.defined:
            return Status.HOLE
        found = {(live.outcome.status, live.outcome.via) for live in self.outcomes}
        statuses = {status for status, _ in found}
        if Status.UNKNOWN in statuses:
            return Status.UNKNOWN
        return statuses.pop() if len(statuses) == 1 and (len(found) == 1 or not self.is_covered) else Status.CONDITIONAL

    @property
    def is_covered(self) -> bool:
        """Whether a kernel is there in every world, whichever it is."""
        return self.defined and all(live.outcome.status is Status.COVERED for live in self.outcomes)

    def of(self, status: Status) -> Iterator[LiveOutcome]:
        """The outcomes of one status."""
        return (live for live in self.outcomes if live.outcome.status is status)


class Table(Struct, frozen=True, dict=True):
    """A project under one target. `decide` answers atoms from the target's facts.

    What several rules ask for is worked out once: that is what the instance's dictionary is for.
    """

    project: Project
    target: Target
    decide: Decide

    def backends(self, op: Op) -> tuple[str, ...]:
        """The target's backends that the op's framework knows: the columns that must be covered."""
        return self._columns[op.framework]

    @cached_property
    def _columns(self) -> Mapping[str, tuple[str, ...]]:
        wanted = self.target.backends
        return {name: tuple(b for b in wanted if b in f.backends) for name, f in self.project.frameworks.items()}

    @cached_property
    def checked(self) -> Sequence[Op]:
        """The ops the target looks at: defined in the project, and of a framework it lists a backend of."""
        wants = self.target.wants
        return [op for op in self.project.ops if op.has_definition and wants(op.name) and self.backends(op)]

    def cells(self, context: str) -> Sequence[LiveCell]:
        """The cells of one context that the target requires, of ops that exist under it.

        A framework that has no such context has no cells of it: nothing is asked of its ops there.
        """
        if context not in self._required:
            self._required[context] = list(self._cells(context))
        return self._required[context]

    def _cells(self, context: str) -> Iterator[LiveCell]:
        for op in self.checked:
            cells = [op.cells[backend, context] for backend in self.backends(op) if (backend, context) in op.cells]
            yield from (live for live in (self.live(op, cell) for cell in cells) if live.defined)

    @cached_property
    def _required(self) -> dict[str, Sequence[LiveCell]]:
        return {}

    def live(self, op: Op, cell: Cell) -> LiveCell:
        """One cell with the target's facts applied, judged only in worlds where its op is defined."""
        key = id(op), id(cell)
        if key not in self._lives:
            self._lives[key] = self._live(op, cell)
        return self._lives[key]

    @cached_property
    def _lives(self) -> dict[tuple[int, int], LiveCell]:
        return {}

    def _live(self, op: Op, cell: Cell) -> LiveCell:
        defined = op.defined.under(self.decide) if op.has_definition else None
        outcomes = [self._live_outcome(outcome, defined) for outcome in cell.outcomes]
        exists = defined is None or not defined.fails
        return LiveCell(op, cell, tuple(o for o in outcomes if not o.condition.fails), exists)

    def uses(self, op: Op) -> Sequence[Use]:
        """The calls of an op that can be reached under the target."""
        if op.name not in self._uses:
            calls = (use for use in self.mentions(op) if use.is_call)
            self._uses[op.name] = [use for use in calls if not use.condition.under(self.decide).fails]
        return self._uses[op.name]

    @cached_property
    def _uses(self) -> dict[str, Sequence[Use]]:
        return {}

    def mentions(self, op: Op) -> Sequence[Use]:
        """The calls of an op and the references to it."""
        return self._mentions.get(op.name, ())

    def registrations(self, op: Op) -> Sequence[Registration]:
        """All that was registered for an op."""
        return self._registrations.get((op.framework, op.name), ())

    @cached_property
    def _mentions(self) -> Mapping[str, list[Use]]:
        found: dict[str, list[Use]] = defaultdict(list)
        for use in self.project.uses:
            found[use.op].append(use)
        return found

    @cached_property
    def _registrations(self) -> Mapping[tuple[str, str | None], list[Registration]]:
        found: dict[tuple[str, str | None], list[Registration]] = defaultdict(list)
        for registration in self.project.registrations:
            found[registration.framework, registration.op].append(registration)
        return found

    def _live_outcome(self, outcome: Outcome, defined: Condition | None) -> LiveOutcome:
        condition = outcome.condition.under(self.decide)
        if defined is None:
            return LiveOutcome(outcome, condition, condition.holds)
        return LiveOutcome(outcome, condition & defined, defined.implies(condition))

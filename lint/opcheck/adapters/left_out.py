"""What a project's configuration leaves out on purpose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Cell, Op, Outcome, Status


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Backends by op pattern, and where the configuration says so."""

    backends: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    origin: Mapping[str, Span] = field(default_factory=dict[str, Span])

    def applied(self, op: Op) -> Op:
        """The op with its holes on such backends excluded, in every context."""
        patterns = [pattern for pattern in self.backends if fnmatchcase(op.name, pattern)]
        if not patterns:
            return op
        return replace(op, cells={place: self._cell(cell, patterns) for place, cell in op.cells.items()})

    def _cell(self, cell: Cell, patterns: list[str]) -> Cell:
        pattern = next((p for p in patterns if cell.backend in self.backends[p]), None)
        if pattern is None:
            return cell
        span = self.origin.get(f"unsupported.{pattern}")
        return replace(cell, outcomes=tuple(_excluded(outcome, span) for outcome in cell.outcomes))


def _excluded(outcome: Outcome, span: Span | None) -> Outcome:
    if outcome.status is not Status.HOLE:
        return outcome
    where = f" at {span.path}:{span.line}" if span else ""
    return replace(
        outcome, status=Status.EXCLUDED, reason=f"left out on purpose{where}", cause=None, span=span or outcome.span
    )

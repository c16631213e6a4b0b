"""What a project's configuration leaves out on purpose."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct, field
from msgspec.structs import replace

from opcheck_rules.base import nearest
from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Cell, Op, Outcome, Status
from opcheck_rules.model.suppression import UnusedSuppression


class LeftOut(Struct, frozen=True):
    """Backends by op pattern, each with where the configuration leaves it out."""

    backends: Mapping[str, Mapping[str, Span]] = field(default_factory=dict[str, Mapping[str, Span]])

    def applied(self, op: Op) -> Op:
        """The op with its holes on such backends excluded, in every context.

        A backend that the op has a kernel for is not left out, whatever the configuration says.
        """
        listed = [backends for pattern, backends in self.backends.items() if fnmatchcase(op.name, pattern)]
        spans = {b: span for backends in reversed(listed) for b, span in backends.items() if _may_lack(op, b)}
        if not spans:
            return op
        return replace(op, cells={place: _excluded(cell, spans.get(cell.backend)) for place, cell in op.cells.items()})

    def unused(self, ops: Sequence[Op], open_namespaces: Collection[str]) -> Iterator[UnusedSuppression]:
        """The entries that leave nothing out: their op is not there, or has a kernel for the backend.

        An op of an open namespace may be there without having been read.
        """
        for pattern, backends in self.backends.items():
            matching = [op for op in ops if fnmatchcase(op.name, pattern)]
            if not matching and pattern.partition("::")[0] in open_namespaces:
                continue
            for backend, span in backends.items():
                if not any(_may_lack(op, backend) for op in matching):
                    yield _unused(pattern, backend, span, matching, ops)


def _unused(pattern: str, backend: str, span: Span, matching: Sequence[Op], ops: Sequence[Op]) -> UnusedSuppression:
    what, subject = f"leaving `{backend}` out of `{pattern}`", f"{backend} {pattern}"
    if matching:
        return UnusedSuppression(span, what, f"no op called so lacks a `{backend}` kernel", subject=subject)
    near = nearest(pattern, [op.name for op in ops])
    advice = f"did you mean `{near}`?" if near else "remove it"
    return UnusedSuppression(span, what, "no op that was read is called so", advice, subject=subject)


def _may_lack(op: Op, backend: str) -> bool:
    """Whether the op may be there without a kernel for a backend of its framework."""
    cell = op.cells.get((backend, "forward"))
    return cell is not None and any(
        outcome.status is not Status.COVERED and (outcome.condition.meets(op.defined) or not op.has_definition)
        for outcome in cell.outcomes
    )


def _excluded(cell: Cell, span: Span | None) -> Cell:
    """The cell with its holes left out on purpose, where the configuration does so at `span`."""
    if span is None:
        return cell
    return replace(cell, outcomes=tuple(_outcome(outcome, span) for outcome in cell.outcomes))


def _outcome(outcome: Outcome, span: Span) -> Outcome:
    if outcome.status is not Status.HOLE:
        return outcome
    reason = f"left out on purpose at {span.path}:{span.line}"
    return replace(outcome, status=Status.EXCLUDED, reason=reason, cause=None, span=span)

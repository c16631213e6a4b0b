"""The backends that a declaration says it leaves out, and does not."""

from __future__ import annotations

from collections.abc import Iterator

from opcheck_rules.base import nearest
from opcheck_rules.model.finding import PredictedError, Span
from opcheck_rules.model.project import Op, Status
from opcheck_rules.model.suppression import UnusedSuppression
from opcheck_runtime.spec import BACKENDS

from .gathered import Gathered


def unused(gathered: Gathered, op: Op) -> Iterator[UnusedSuppression]:
    """The marks on an op that leave nothing out: their backend is listed wherever it is declared, or there is none."""
    for declared in gathered.declared:
        for backend, span in declared.record.unsupported.items():
            cell = op.cells.get((backend, "forward"))
            if cell is None:
                near = nearest(backend, BACKENDS)
                help = f"did you mean `{near}`?" if near else "remove it"
                yield _unused(op, backend, span, "no backend is called so", help, f"unknown backend `{backend}`")
            elif not any(outcome.status in (Status.EXCLUDED, Status.UNKNOWN) for outcome in cell.outcomes):
                both = f"`{backend}` is listed and left out as unsupported"
                yield _unused(op, backend, span, f"`{backend}` is listed", "keep one of the two", both)


def _unused(op: Op, backend: str, span: Span, why: str, help: str, complaint: str) -> UnusedSuppression:
    return UnusedSuppression(
        span,
        f"leaving `{backend}` out of `{op.name}`",
        why,
        help,
        op.name,
        op.framework,
        backend,
        PredictedError("import", "DeclarationError", f"custom op `{op.own_name}`: {complaint}"),
    )

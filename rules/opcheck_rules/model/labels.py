"""What findings point at: the labels that several rules have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .faults import covered
from .finding import Label, Span
from .project import Registration, Use
from .table import LiveCell, LiveOutcome, Table
from .target import Target


def declared_here(span: Span, text: str = "declared here") -> Label:
    """The primary label, at the declaration that is to be mended."""
    return Label(span, text, primary=True)


def at_each(statements: Iterable[Use | Registration], text: str) -> list[Label]:
    """The labels at statements that share a finding: the primary one at the first."""
    first, *rest = dict.fromkeys(statement.span for statement in statements)
    return [declared_here(first, text), *(Label(span, "and here") for span in rest)]


def required_here(target: Target, key: str) -> list[Label]:
    """The label at the configuration that asks for `key` (`backends.cuda`, `autodiff`), where there is one."""
    span = target.origin.get(key)
    return [Label(span, "required here")] if span else []


def called_here(uses: Sequence[Use]) -> list[Label]:
    """The label at one of the calls, saying how many there are."""
    count = f" (1 of {len(uses)} calls)" if len(uses) > 1 else ""
    return [Label(use.span, "called here" + count) for use in uses[:1]]


def asked_here(table: Table, live: LiveCell) -> list[Label]:
    """The labels at what asks for a kernel: the configuration that lists the backend, and a call."""
    return required_here(table.target, f"backends.{live.cell.backend}") + called_here(table.uses(live.op))


def at_raise(table: Table, live: LiveCell, found: LiveOutcome, raised: Label) -> list[Label]:
    """The labels of a kernel that is there and only raises: where it does, is declared and is asked for."""
    declared = [Label(found.outcome.span, "declared here")] if found.outcome.span else []
    return [raised, *declared, *asked_here(table, live)]


def gated_here(live: LiveCell, hole: LiveOutcome) -> Label:
    """The primary label: at the gate where a feature shuts it, else at what a guard keeps out."""
    if hole.outcome.feature:
        return declared_here(hole.outcome.span or live.op.listing, "gated here")
    kept_out = covered(live.cell) or hole.outcome
    return declared_here(kept_out.span or live.op.listing, "there only under a guard")

"""What every rule is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TypedDict, Unpack

from .model.condition import Condition
from .model.finding import Finding, Label, PredictedError, Severity, Span
from .model.project import Op
from .model.table import LiveCell, LiveOutcome, Table
from .model.target import Target


class Details(TypedDict, total=False):
    """The fields of a finding that a rule sets where they apply."""

    op: str | None
    framework: str | None
    severity: Severity
    backend: str | None
    context: str | None
    condition: str | None
    notes: tuple[str, ...]
    help: str | None
    error: PredictedError | None


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its code, its name (which reads after "allow"), its documentation, and the function that applies it.

    `check` is a pure function of one target's table. A rule whose findings no target can change (a misspelt name, a
    duplicate) says `every_target`: its severity stands also under an inferred target.
    """

    code: str
    name: str
    documentation: str
    check: Callable[[Rule, Table], Iterator[Finding]] = field(repr=False)
    every_target: bool = False

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return self.documentation.strip().split("\n", 1)[0].rstrip(".")

    def finding(self, table: Table, message: str, labels: Iterable[Label], **details: Unpack[Details]) -> Finding:
        """A finding of this rule under the table's target; what an inferred target asks for is only a warning."""
        details.setdefault("severity", Severity.ERROR)
        if table.target.inferred and not self.every_target:
            details["severity"] = Severity.WARNING
        return Finding(self.code, self.name, message, tuple(labels), targets=(table.target.name,), **details)

    def at_cell(
        self,
        table: Table,
        live: LiveCell,
        hole: LiveOutcome,
        message: str,
        labels: Iterable[Label],
        **details: Unpack[Details],
    ) -> Finding:
        """A finding on one cell: its severity and condition follow from the worlds in which the hole is there."""
        details.setdefault("error", hole.outcome.error)
        severity, condition = certainty(hole.certain, hole.condition)
        details |= {"severity": severity, "condition": condition, **about(live.op)}
        details |= {"backend": live.cell.backend, "context": live.cell.context}
        return self.finding(table, message, labels, **details)


def about(op: Op) -> Details:
    """The fields that name an op."""
    return {"op": op.name, "framework": op.framework}


def certainty(certain: bool, condition: Condition) -> tuple[Severity, str | None]:
    """An error where a fault holds in every world, else a warning with the condition it hangs on."""
    return (Severity.ERROR, None) if certain else (Severity.WARNING, condition.render())


def required_here(target: Target, key: str) -> list[Label]:
    """The label at the configuration that asks for `key` (`backends.cuda`, `autodiff`), where there is one."""
    span = target.origin.get(key)
    return [Label(span, "required here")] if span else []


def declared_here(span: Span, text: str = "declared here") -> Label:
    """The primary label, at the declaration that is to be mended."""
    return Label(span, text, primary=True)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to `name`, where one is close enough to suggest."""
    found = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return found[0] if found else None

"""Which derivative rules a call stands in: where backward runs, and forward does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from opcheck_rules.model.finding import Span

from ..symbolic.collect import Reached
from ..symbolic.values import FunctionValue
from .native.records import RuleAdded
from .torch.records import Filled


class Body(Struct, frozen=True):
    """The stretch of one file that a derivative rule takes up, and the op that it differentiates."""

    op: str
    span: Span

    def holds(self, span: Span) -> bool:
        """Whether something stands in it."""
        first, last = (self.span.line, self.span.column), (self.span.end_line, self.span.end_column)
        return span.path == self.span.path and first <= (span.line, span.column) < last


def derivative_bodies(effects: Iterable[Reached[object]]) -> Iterator[Body]:
    """The bodies of all derivative rules that were registered."""
    for effect in effects:
        match effect.record:
            case (
                RuleAdded(op=op, function=FunctionValue() as rule)
                | Filled(op=str(op), slot="derivative", function=FunctionValue() as rule)
            ):
                yield Body(op, rule.module.source.span(rule.node))
            case _:
                pass


def derivatives_at(bodies: Iterable[Body], span: Span) -> frozenset[str]:
    """The ops whose derivative rule a call at `span` is part of."""
    return frozenset(body.op for body in bodies if body.holds(span))

"""One undecided fact a declaration can hang on."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from msgspec import Struct

_OPPOSITE: Final = {"==": "!=", "<": ">=", "<=": ">", "in": "not in", "is": "is not"}


class Atom(Struct, frozen=True):
    """A predicate on one resolved expression, kept in parts so that a target's facts can decide it later.

    `subject` is the expression (`torch.cuda.is_available()`, `pkg.flags.FAST`) or a fact of a known kind
    (`installed:triton`, `feature:gpu`, `env:FAST`, `called:pkg.setup`, `built:cuda`). Without an `operator` the
    predicate is its truth; else it compares it with `operand` by `==`, `<`, `<=`, `in` or `is`: their opposites are
    written as negations. `settled` is what the project's own constants make of it, None where they do not say.
    """

    subject: str
    operator: str = ""
    operand: Hashable = None
    settled: bool | None = None

    def render(self, *, positive: bool = True) -> str:
        """Write the predicate, or its negation, the way a person would write the guard."""
        if not self.operator:
            return self.subject if positive else f"not {self.subject}"
        operator = self.operator if positive else _OPPOSITE[self.operator]
        return f"{self.subject} {operator} {self.operand!r}"

"""How much an evaluation may do: no input can make it hang or exhaust memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from opcheck_rules.model.condition import ConditionOverflowError

MOST_DEPTH: Final = 24
"""Nested calls."""
MOST_RECURSION: Final = 3
"""Calls of one function within each other."""
MOST_ROUNDS: Final = 5_000
"""Rounds of one loop, items of one container."""
MOST_TEXT: Final = 100_000
"""Characters of one string."""
MOST_BITS: Final = 4_096
"""Bits of one integer."""
MOST_DESCRIPTION: Final = 300
"""Characters of the expression an unknown value is named after."""
MOST_COMPARISONS: Final = 16
"""Undecided comparisons that one membership test is spelt out as."""
MOST_LISTED: Final = 64
"""Parts of a value, lines of an expression, that are written out to name it."""
MOST_COMBINATIONS: Final = 64
"""Combinations of guarded operands that one operation is worked out for."""
CALL_ATOMS: Final = 8
"""Atoms that the conditions inside one outermost call may add to those around it."""
FEW_ATOMS: Final = 4
"""Atoms up to which an answer is worth spelling out: what a call that registers nothing gives, why a `try` failed."""
PATH_ATOMS: Final = 24
"""Atoms in the condition of one statement at module level."""
STATEMENT_WORK: Final = 100_000
"""Statements and calls evaluated for one module-level statement."""
STATEMENT_NODES: Final = 10_000
"""Diagram nodes that the conditions of one module-level statement may take."""
PROJECT_WORK: Final = 500_000
"""The same for all of a project, beside what each of its modules brings."""
MODULE_WORK: Final = 2_000
"""The same for one more module: ten times what most take."""
LEAST_WORK: Final = 200
"""What a statement may take when the project's work is used up."""
MOST_HYPOTHETICAL_RUNS: Final = 16
"""Functions made from one definition that are evaluated as if they were called."""
HYPOTHETICAL_WORK: Final = 5_000
"""The same for the body of a function that nothing calls at import."""

ENCLOSING_WORK: Final = 2_000
"""The same for the body of a function that is looked at for what it says itself."""


class GiveUpError(Exception):
    """An evaluation went past a bound: the outermost call it stands in is unknown."""


BOUNDS: Final = (GiveUpError, ConditionOverflowError, RecursionError)
"""What says that an evaluation has to be given up."""


@dataclass(slots=True)
class Total:
    """The work left for a whole project, which no number of costly statements can go past."""

    left: int = PROJECT_WORK

    def extend(self) -> None:
        """Allow more for one more module: a large project takes more than a small one."""
        self.left += MODULE_WORK

    def grant(self, work: int) -> Budget:
        """What the next piece of evaluation may take, up to `work`."""
        return Budget(self, min(work, max(self.left, LEAST_WORK)))


@dataclass(slots=True)
class Budget:
    """The work left for one piece of evaluation."""

    total: Total
    left: int

    def spend(self) -> None:
        """Take one unit. Raises `GiveUpError` when there is none left."""
        self.left -= 1
        self.total.left -= 1
        if self.left < 0:
            raise GiveUpError

    def reserve(self) -> int:
        """Put half of the work aside, so that one call cannot use up what the rest of its statement needs."""
        aside = self.left // 2
        self.left -= aside
        return aside

    def restore(self, aside: int) -> None:
        """Take back what was put aside. A call that was given up has used its own half."""
        self.left = max(self.left, 0) + aside

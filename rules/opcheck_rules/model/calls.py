"""What rules about single calls ask: which stand together, what each would meet, and in which worlds."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import groupby

from msgspec import Struct

from .condition import Condition
from .finding import PredictedError
from .project import Op, Outcome, Status, Use
from .table import Table


class Missing(Struct, frozen=True):
    """A cell that has nothing for a call: what it says, what the call raises, and in which worlds."""

    outcome: Outcome
    error: PredictedError
    condition: Condition


def by_function(uses: Iterable[Use]) -> list[list[Use]]:
    """Uses of one op, those of one function together; what stands at module level goes by its file."""
    ordered = sorted(uses, key=lambda use: (_place(use), use.span))
    return [list(group) for _, group in groupby(ordered, key=_place)]


def _place(use: Use) -> tuple[str, int, int]:
    return use.span.path, use.within.line if use.within else 0, use.within.column if use.within else 0


def missing(table: Table, op: Op, backend: str, context: str) -> Missing | None:
    """What a call on a backend would lack, whether or not the target lists that.

    A target's facts say nothing of a backend that it does not list: the call is then made on another machine, and a
    cell is empty only where nothing fills it anywhere.
    """
    cell = op.cells.get((backend, context))
    outcomes = table.live(op, cell).outcomes if cell is not None else ()
    empty = [(o, o.outcome.error) for o in outcomes if o.outcome.status in (Status.HOLE, Status.EXCLUDED)]
    raising = [(live, error) for live, error in empty if error is not None]
    everywhere = cell is not None and len(raising) == len(cell.outcomes)
    if not raising or not (everywhere or backend in table.backends(op)):
        return None
    condition = reduce(Condition.__or__, (live.condition for live, _ in raising))
    live, error = raising[0]
    return Missing(live.outcome, error, condition)

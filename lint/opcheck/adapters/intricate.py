"""Ops that hang on more than can be told apart: joining what was registered for one takes only so much."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias, TypeVar

from opcheck_rules.model.condition import ConditionOverflowError, Conditions
from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Cell, Outcome, Status

_T = TypeVar("_T")
OP_NODES: Final = 50_000
"""Diagram nodes that the conditions of one op may take."""
Cells: TypeAlias = Mapping[tuple[str, str], Cell]
_REASON: Final = "it is registered under more conditions than can be told apart"


def bounded(space: Conditions, join: Callable[[], _T], otherwise: Callable[[], _T]) -> _T:
    """What the conditions of one op come to; `otherwise` where that takes too much."""
    space.grant(OP_NODES)
    try:
        return join()
    except ConditionOverflowError:
        return otherwise()
    finally:
        space.release()


def unknown_cells(space: Conditions, places: Iterable[tuple[str, str]], span: Span) -> Cells:
    """Cells of which nothing is known, whatever the world."""
    outcome = Outcome(space.true, Status.UNKNOWN, _REASON, span=span)
    return {place: Cell(*place, (outcome,)) for place in places}

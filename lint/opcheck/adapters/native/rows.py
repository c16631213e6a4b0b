"""From native records to rows of the dispatch table, by the runtime's own `route`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace

from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Cell, Op, RoutingFault
from opcheck_runtime.spec import BACKENDS

from ...symbolic.collect import Reached
from ..intricate import Cells, bounded, unknown_cells
from .derivative import derivative
from .forward import forward
from .framework import NATIVE
from .gathered import Features, Gathered
from .records import Declared


def row(space: Conditions, gathered: Gathered, features: Features) -> Op:
    """The row of one op. Where exclusive guards declare it more than once, each declaration fills its worlds."""
    return bounded(space, lambda: _joined(space, gathered, features), lambda: _unknown(space, gathered))


def _joined(space: Conditions, gathered: Gathered, features: Features) -> Op:
    standing = list(_standing(space, gathered.declared))
    cells: dict[tuple[str, str], Cell] = {}
    for backend in BACKENDS:
        forwards = [o for d in standing for o in forward(space, d, gathered, backend, features)]
        derivatives = [o for d in standing for o in derivative(space, d, gathered, features)]
        cells[backend, "forward"] = Cell(backend, "forward", tuple(forwards))
        cells[backend, "autodiff"] = Cell(backend, "autodiff", tuple(derivatives))
    faults = tuple(fault for d in gathered.declared for fault in _routing_faults(space, d))
    return _op(gathered, space.any(d.condition for d in gathered.declared), cells, faults)


def _unknown(space: Conditions, gathered: Gathered) -> Op:
    places = ((backend, context) for backend in BACKENDS for context in ("forward", "autodiff"))
    return _op(gathered, space.true, unknown_cells(space, places, gathered.declared[0].span))


def _op(gathered: Gathered, defined: Condition, cells: Cells, routing_faults: tuple[RoutingFault, ...] = ()) -> Op:
    first = gathered.declared[0]
    return Op(
        name=first.record.op,
        own_name=first.record.function.name,
        framework=NATIVE.name,
        span=first.span,
        listing=first.record.listing,
        defined=defined,
        cells=cells,
        listed=tuple(dict.fromkeys(a.backend for d in gathered.declared for a in d.record.arms if a.backend)),
        routing_faults=routing_faults,
    )


def _standing(space: Conditions, declared: Sequence[Reached[Declared]]) -> Iterator[Reached[Declared]]:
    """Each declaration in the worlds that no later one takes over."""
    taken = space.false
    for reached in reversed(declared):
        if not (here := reached.condition & ~taken).fails:
            yield replace(reached, condition=here)
        taken = taken | reached.condition


def _routing_faults(space: Conditions, declared: Reached[Declared]) -> Iterator[RoutingFault]:
    """An op without array inputs has nothing to choose a backend by: it needs exactly one, and no derivative."""
    record = declared.record
    if record.has_arrays or not record.complete:
        return
    several = space.any(a.condition & b.condition for a, b in combinations(record.arms, 2))
    none = ~space.any(a.condition for a in record.arms)
    condition = (several | none | space.any(d.condition for d in record.derivatives)) & declared.condition
    if not condition.fails:
        count = len(record.arms)
        detail = f"{count} backend{'' if count == 1 else 's'}" + (" and a derivative" if record.derivatives else "")
        message = f"custom op `{record.function.name}`: no parameter is an array"
        error = PredictedError("import", "DeclarationError", message)
        yield RoutingFault(condition, detail, "annotate an input as an array, or list exactly one backend", error)

"""From native records to rows of the dispatch table, by the runtime's own `route`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace

from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Cell, Op, RoutingFault
from opcheck_runtime.spec import BACKENDS

from ...symbolic.collect import Reached
from .derivative import derivative
from .forward import forward
from .framework import NATIVE
from .gathered import Features, Gathered
from .records import Declared


def row(space: Conditions, gathered: Gathered, features: Features) -> Op:
    """The row of one op. Where exclusive guards declare it more than once, each declaration fills its worlds."""
    first = gathered.declared[0]
    declared = first.record
    standing = list(_standing(space, gathered.declared))
    cells: dict[tuple[str, str], Cell] = {}
    for backend in BACKENDS:
        forwards = [o for d in standing for o in forward(space, d, gathered, backend, features)]
        derivatives = [o for d in standing for o in derivative(space, d, gathered, features)]
        cells[backend, "forward"] = Cell(backend, "forward", tuple(forwards))
        cells[backend, "autodiff"] = Cell(backend, "autodiff", tuple(derivatives))
    listed = tuple(dict.fromkeys(a.backend for d in gathered.declared for a in d.record.arms if a.backend))
    return Op(
        name=declared.op,
        own_name=declared.function.name,
        framework=NATIVE.name,
        span=first.span,
        listing=declared.listing,
        defined=space.any(d.condition for d in gathered.declared),
        cells=cells,
        listed=listed,
        routing_faults=tuple(fault for d in gathered.declared for fault in _routing_faults(space, d)),
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

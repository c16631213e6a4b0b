"""What rules ask of a table: which required cells are at fault, in which worlds, and what calls could meet it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import groupby

from msgspec.structs import replace

from .condition import Condition
from .project import Cause, Cell, Gate, Op, Outcome, Status, Stub, Use
from .table import LiveCell, LiveOutcome, Table

Asked = Callable[[LiveCell, Outcome], bool]


def faults(table: Table, context: str, asked: Asked) -> Iterator[tuple[LiveCell, LiveOutcome]]:
    """The required cells of one context with outcomes of the kind asked for, those of a cell joined into one."""
    for live in table.cells(context):
        found = [o for o in live.outcomes if asked(live, o.outcome)]
        if found:
            yield live, _joined(live, found)


def _joined(live: LiveCell, found: list[LiveOutcome]) -> LiveOutcome:
    """Several faults of one cell as one, for which the first speaks: certain where no world is free of any fault."""
    condition = reduce(Condition.__or__, (outcome.condition for outcome in found))
    certain = all(o in found or o.outcome.status is Status.HOLE for o in live.outcomes)
    return replace(found[0], condition=condition, certain=certain)


def raising_kernels(table: Table, *, refusing: bool) -> Iterator[tuple[LiveCell, LiveOutcome, Stub]]:
    """The kernels of required backends that only raise: wherever they run, or as `refusing` ones on that backend."""

    def asked(_: LiveCell, outcome: Outcome) -> bool:
        return outcome.status is Status.COVERED and outcome.stub is not None and outcome.stub.refuses is refusing

    for live, found in faults(table, "forward", asked):
        assert found.outcome.stub is not None, "it is what was asked for"
        yield live, found, found.outcome.stub


def op_faults(table: Table, context: str, asked: Asked) -> Iterator[tuple[LiveCell, LiveOutcome, str | None]]:
    """The faults of a context beside the forward call that a target asks for, each with the backend it is about.

    A derivative, a fake kernel and a batching rule belong to the op, so that one fault speaks for all backends (None)
    where they lack it alike. Where a backend has no kernel a call never gets further: that is left to the rules about
    kernels.
    """
    found = faults(table, context, asked) if context in table.target.contexts else ()
    for _, group in groupby(found, key=lambda fault: fault[0].op.name):
        reached = [(live, met) for live, fault in group if (met := _past_forward(table, live, fault)) is not None]
        if _alike(table, reached):
            yield *reached[0], None
        else:
            yield from ((live, fault, live.cell.backend) for live, fault in reached)


def tracked_faults(table: Table, asked: Asked) -> Iterator[tuple[LiveCell, LiveOutcome, str | None, list[Use]]]:
    """The missing derivatives that a tracked call can reach, each with such calls."""
    for live, fault, backend in op_faults(table, "autodiff", asked):
        calls = tracked_calls(table, live.op)
        if calls is not None:
            yield live, fault, backend, calls


def _past_forward(table: Table, live: LiveCell, fault: LiveOutcome) -> LiveOutcome | None:
    """A fault in the worlds in which the backend has a kernel; None where it has none in any."""
    forward = table.live(live.op, live.op.cells[live.cell.backend, "forward"])
    met = reduce(lambda left, hole: left & ~hole.condition, forward.of(Status.HOLE), fault.condition)
    return None if met.fails else replace(fault, condition=met)


def _has_forward(table: Table, op: Op, backend: str) -> bool:
    return table.live(op, op.cells[backend, "forward"]).status is not Status.HOLE


def _alike(table: Table, reached: list[tuple[LiveCell, LiveOutcome]]) -> bool:
    """Whether every backend that a call can reach is among these, with one and the same fault."""
    kinds = {(fault.outcome.cause, fault.condition) for _, fault in reached}
    if len(kinds) != 1:
        return False
    op = reached[0][0].op
    return len(reached) == sum(_has_forward(table, op, backend) for backend in table.backends(op))


def tracked_calls(table: Table, op: Op) -> list[Use] | None:
    """The calls that can meet the op with inputs that want a gradient; None where nothing says that any does.

    An op that nothing calls may be there for others to call: no calls, where its framework asks to be warned of it.
    """
    uses = table.uses(op)
    if not uses:
        return [] if table.project.frameworks[op.framework].warn_unused else None
    return [use for use in uses if use.tracked] or None


def gates(table: Table) -> Iterator[Gate]:
    """The gates of the ops that the target looks at."""
    for gate in table.project.gates:
        known = table.project.frameworks[gate.framework].backends
        if table.target.wants(gate.op) and not set(known).isdisjoint(table.target.backends):
            yield gate


def covered(cell: Cell) -> Outcome | None:
    """What would fill the cell, under whichever condition."""
    return next((o for o in cell.outcomes if o.status is Status.COVERED), None)


def is_gated(cell: Cell, hole: Outcome) -> bool:
    """Whether something fills the cell elsewhere: a feature or a guard keeps it out here."""
    return hole.cause in (Cause.FEATURE_OFF, Cause.AUTODIFF_FEATURE_OFF) or covered(cell) is not None


def served(op: Op) -> list[str]:
    """The backends that the op has a kernel for under some condition."""
    forward = [key for key in op.cells if key[1] == "forward"]
    return [backend for backend, context in forward if covered(op.cells[backend, context])]

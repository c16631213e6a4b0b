"""What runs an op under `torch.vmap`."""

from __future__ import annotations

from collections.abc import Iterator

from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Cause, Outcome, Status

from .keys import VMAP
from .row import Row


def batching(row: Row) -> tuple[Outcome, ...]:
    """The batching rule: registered, or the loop that serves ops which return fresh tensors and mutate nothing."""
    steps = [*row.slots("vmap", VMAP, "batching rule"), *row.kernels(VMAP, named=True), *_looped(row)]
    unread = Outcome(row.schema_unread(), Status.UNKNOWN, "may loop over the batch: the schema was not read")
    error = PredictedError("vmap", "RuntimeError", f"Batching rule not implemented for {row.name}")
    hole = Outcome(
        row.space.true, Status.HOLE, "no batching rule", cause=Cause.NO_KERNEL, span=row.listing, error=error
    )
    return row.close([*steps, unread], hole, frozenset({"vmap", VMAP}))


def _looped(row: Row) -> Iterator[Outcome]:
    for defined in row.with_schema():
        if defined.record.schema and defined.record.schema.can_be_batched:
            reason = "the fallback loops over the batch"
            yield Outcome(defined.condition, Status.COVERED, reason, "fallback", span=defined.span)

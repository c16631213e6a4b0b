"""What stands in for an op's kernel where tensors carry no data: under `torch.compile`, export and tracing."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Cause, Outcome, Status

from .keys import AUTOGRAD, COMPOSITES, META
from .row import Row


def fake(row: Row) -> tuple[Outcome, ...]:
    """A fake kernel, a kernel for meta tensors, a composite kernel run on them, or one that PyTorch generates."""
    steps = [*row.slots("fake", "fake", "fake kernel"), *_kernels(row), *_generated(row)]
    unread = Outcome(row.schema_unread(), Status.UNKNOWN, "may be generated: the schema was not read")
    reads = frozenset({"fake", META, *COMPOSITES, AUTOGRAD})
    return row.close([*steps, unread], _hole(row), reads)


def _kernels(row: Row) -> Iterator[Outcome]:
    """The kernels that run on tensors without data. A custom op's wrapper at Meta hides all of them."""
    runs = ~row.custom
    for key, reason in ((META, None), *((c, "the composite kernel runs on fake tensors") for c in COMPOSITES)):
        for outcome in row.kernels(key, named=key == META):
            yield replace(outcome, condition=outcome.condition & runs, reason=reason or outcome.reason, stub=None)
    # A kernel at Autograd alone runs first, and is traced through.
    alone = runs & ~row.space.any(kernel.condition for kernel in row.named)
    for outcome in row.kernels(AUTOGRAD):
        reason = "the kernel at Autograd runs on fake tensors"
        yield replace(outcome, condition=outcome.condition & alone, reason=reason, stub=None)


def _generated(row: Row) -> Iterator[Outcome]:
    for defined in row.with_schema():
        if defined.record.schema and defined.record.schema.has_trivial_fake:
            reason = "generated, as the op only mutates its arguments"
            yield Outcome(defined.condition, Status.COVERED, reason, "fake", span=defined.span)


def _hole(row: Row) -> Outcome:
    """Without one a custom op raises; any other op only where the graph must stay whole, and else breaks it in two."""
    error = PredictedError("compile", "Unsupported", "Operator does not support running with fake tensors")
    if not row.custom.fails:
        message = f"There was no fake impl registered for <CustomOpDef({row.name})>"
        error = PredictedError("compile", "RuntimeError", message)
    return Outcome(
        row.space.true,
        Status.HOLE,
        "no fake kernel",
        cause=Cause.NO_KERNEL,
        span=row.listing,
        error=error,
        survivable=row.custom.fails,
    )

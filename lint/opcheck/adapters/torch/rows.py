"""From PyTorch's records to rows of the dispatch table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Cell, Op, RoutingFault

from ...symbolic.collect import Reached
from ..intricate import Cells, bounded, unknown_cells
from .batching import batching
from .derivative import derivative
from .fake import fake
from .forward import forward, served_without_tensors
from .keys import DEVICE_KEYS, TORCH
from .records import Defined
from .row import Row

_CONTEXTS: Final = ("forward", "autodiff", "compile", "vmap")


def op_of(row: Row) -> Op:
    """One row of the table; an op that only has registrations is external where something unread may define it."""
    return bounded(row.space, lambda: _joined(row), lambda: _unknown(row))


def _joined(row: Row) -> Op:
    defined = row.space.any(found.condition for found in (row.gathered.defined or row.gaps))
    faults = (fault for d in row.gathered.defined for fault in _routing_faults(row, d))
    return _op(row, defined, {(c.backend, c.context): c for c in _cells(row)}, tuple(faults))


def _unknown(row: Row) -> Op:
    places = ((backend, context) for backend in DEVICE_KEYS for context in _CONTEXTS)
    return _op(row, row.space.true, unknown_cells(row.space, places, row.span))


def _op(row: Row, defined: Condition, cells: Cells, routing_faults: tuple[RoutingFault, ...] = ()) -> Op:
    return Op(
        name=row.name,
        own_name=row.name,
        framework=TORCH.name,
        span=row.span,
        listing=row.listing,
        defined=defined,
        cells=cells,
        has_definition=bool(row.gathered.defined),
        external=not row.gathered.defined and bool(row.gaps),
        routing_faults=routing_faults,
    )


def _cells(row: Row) -> Iterator[Cell]:
    compiled, batched = fake(row), batching(row)
    for backend in DEVICE_KEYS:
        yield Cell(backend, "forward", forward(row, backend))
        yield Cell(backend, "autodiff", derivative(row, backend))
        yield Cell(backend, "compile", compiled)
        yield Cell(backend, "vmap", batched)


def _routing_faults(row: Row, defined: Reached[Defined]) -> Iterator[RoutingFault]:
    """An op for named devices needs a tensor, or another way, to choose a kernel by."""
    schema = defined.record.schema
    if schema is None or not schema.chooses_no_backend:
        return
    custom = defined.record.api == "custom_op"
    if custom and schema.takes_device:
        return
    condition = row.space.any(kernel.condition for kernel in row.named) & defined.condition
    if not custom:
        condition = condition & ~served_without_tensors(row)
    if not condition.fails:
        yield _custom_fault(condition) if custom else _fault(condition, row.name)


def _custom_fault(condition: Condition) -> RoutingFault:
    return RoutingFault(
        condition,
        "kernels for single devices and no tensor input",
        "add a `device: torch.device` parameter, or leave `device_types` out",
        PredictedError(
            "import",
            "ValueError",
            "Functions without tensor inputs are required to have a `device: torch.device` argument",
        ),
    )


def _fault(condition: Condition, op: str) -> RoutingFault:
    message = "There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no "
    return RoutingFault(
        condition,
        "kernels for single devices and no tensor input",
        "register the kernel for `CompositeExplicitAutograd`, or one at `BackendSelect` that chooses",
        PredictedError("call", "NotImplementedError", f"{message}fallback function is registered for schema {op}"),
    )

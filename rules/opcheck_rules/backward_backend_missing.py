"""Backward calls an op that lacks a backend which forward has.

## What it does
Under a target with `autodiff = true`, reports an op that has no kernel for one of the target's backends and that is
called there by the derivative rule of another op, which has one.

## Why is this bad?
Forward runs on the backend, and says that it is supported. The first backward pass finds out that half of the op was
never ported.

## Example
```toml
[tool.opcheck.targets.train]
backends = ["numpy", "cupy"]
autodiff = true
```
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy"])
def step(grad: FloatArray, x: FloatArray) -> FloatArray:
    return grad * (x > 0)

@op(backends=["numpy", "cupy"], autodiff=True)
def clip(x: FloatArray) -> FloatArray:
    return x * (x > 0)

@clip.vjp
def _(grad, out, x):
    return step(grad, x)
```

## Use instead
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy", "cupy"])
def step(grad: FloatArray, x: FloatArray) -> FloatArray:
    return grad * (x > 0)

@op(backends=["numpy", "cupy"], autodiff=True)
def clip(x: FloatArray) -> FloatArray:
    return x * (x > 0)

@clip.vjp
def _(grad, out, x):
    return step(grad, x)
```

## Predicted error
In backward, what a call of the op raises: `BackendNotSupportedError` from opcheck's runtime, `NotImplementedError` from
PyTorch.

## Fix safety
There is no automatic fix: the kernel has to be written.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from .base import Rule, named
from .model.faults import covered, faults, is_gated
from .model.finding import Finding, Label
from .model.labels import declared_here, required_here
from .model.project import Cause, Op, Outcome, Status, Use
from .model.table import LiveCell, LiveOutcome, Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each backend that an op lacks and that an op whose backward calls it has."""
    if not table.target.autodiff:
        return
    for live, hole in faults(table, "forward", _is_left_out):
        callers = [(op, use) for use in table.uses(live.op) for op in _differentiated(table, use, live.cell.backend)]
        if callers:
            yield _finding(rule, table, live, hole, callers)


def _is_left_out(live: LiveCell, outcome: Outcome) -> bool:
    left_out = outcome.cause in (Cause.NOT_LISTED, Cause.NO_KERNEL)
    return outcome.status is Status.HOLE and left_out and not is_gated(live.cell, outcome)


def _differentiated(table: Table, use: Use, backend: str) -> list[Op]:
    """The ops that the target runs forward on a backend, and that make a call in their backward pass."""
    ops = [op for op in table.checked if op.name in use.derivative_of and (backend, "forward") in op.cells]
    return [op for op in ops if all(_is_there(table, op, backend, part) for part in ("forward", "autodiff"))]


def _is_there(table: Table, op: Op, backend: str, context: str) -> bool:
    live = table.live(op, op.cells[backend, context])
    return live.defined and any(live.of(Status.COVERED))


def _finding(rule: Rule, table: Table, live: LiveCell, hole: LiveOutcome, callers: list[tuple[Op, Use]]) -> Finding:
    op, backend, (caller, use) = live.op, live.cell.backend, callers[0]
    message = f"`{op.name}` has no kernel for backend `{backend}`, where backward of `{caller.name}` calls it"
    labels = [declared_here(op.listing, f"not declared for `{backend}`")]
    labels += [Label(use.span, f"called here by the derivative of `{caller.name}`")]
    kernel = covered(caller.cells[backend, "forward"])
    labels += [Label(kernel.span, f"forward has `{backend}`")] if kernel and kernel.span else []
    labels += required_here(table.target, f"backends.{backend}")
    error = replace(hole.outcome.error, when="backward") if hole.outcome.error else None
    advice = f"give `{op.name}` a kernel for `{backend}`, which {named(table.target)} trains on"
    return rule.at_cell(table, live, hole, message, labels, error=error, help=advice)


RULE = Rule("OPC204", "backward-backend-missing", __doc__ or "", check)

"""A listed backend has no kernel.

## What it does
Reports an op that lists a target's backend, with its gate open, while nothing gives it a kernel there: there is no
`.kernel(...)` for the backend, and no body that would serve every backend.

## Why is this bad?
The declaration promises the backend, and whoever reads it relies on that. The call finds the promise empty.

## Example
```toml
[tool.opcheck.targets.serve]
backends = ["numpy", "cupy"]
```
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy", "cupy"])
def scale(x: FloatArray, by: float) -> FloatArray: ...

@scale.kernel("numpy")
def _(x, by):
    return x * by
```

## Use instead
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy", "cupy"])
def scale(x: FloatArray, by: float) -> FloatArray: ...

@scale.kernel("numpy")
def _(x, by):
    return x * by

@scale.kernel("cupy")
def _(x, by):
    return x * by
```

## Predicted error
`BackendNotSupportedError`, which begins ``Backend not supported for custom op `scale` `` and says that the backend is
listed without a kernel.

## Fix safety
There is no automatic fix: the kernel has to be written.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, named
from .model.faults import faults, is_gated
from .model.finding import Finding
from .model.labels import asked_here, declared_here
from .model.project import Cause, Outcome, Status
from .model.table import LiveCell, Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each required backend that is listed, open, and empty."""
    for live, hole in faults(table, "forward", _is_empty):
        op, backend = live.op, live.cell.backend
        message = f"`{op.name}` lists backend `{backend}`, which {named(table.target)} runs on, without a kernel for it"
        labels = [declared_here(hole.outcome.span or op.listing, "listed here"), *asked_here(table, live)]
        advice = f'register one with `@{op.own_name}.kernel("{backend}")`, or write a body that serves every backend'
        yield rule.at_cell(table, live, hole, message, labels, help=advice)


def _is_empty(live: LiveCell, outcome: Outcome) -> bool:
    if outcome.status is not Status.HOLE or is_gated(live.cell, outcome):
        return False
    return outcome.cause is Cause.NO_KERNEL and live.op.listed is not None


RULE = Rule("OPC103", "kernel-missing", __doc__ or "", check)

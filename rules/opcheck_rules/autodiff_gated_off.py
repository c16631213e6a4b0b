"""A derivative is there, but its feature or guard keeps it out.

## What it does
Under a target with `autodiff = true`, reports an op that a tracked call can reach and whose derivative stands behind a
feature that the target does not enable, or behind a guard that fails, or may fail, on that machine.

## Why is this bad?
The declaration reads as if the op could be trained through, and where the feature is on it can. Elsewhere the first
tracked call raises, long after the decorator that decided it.

## Example
```toml
[tool.opcheck.targets.train]
backends = ["numpy"]
autodiff = true
```
```python
from opcheck_runtime import FloatArray, gated, op

@op(backends=["numpy"], autodiff=gated(feature="training"))
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by

@scale.vjp
def _(grad, out, x, by):
    return by * grad

def forward(x):
    return scale(x, 2.0)
```

## Use instead
Enable the feature in the target, or declare the derivative without a gate.
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy"], autodiff=True)
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by

@scale.vjp
def _(grad, out, x, by):
    return by * grad

def forward(x):
    return scale(x, 2.0)
```

## Predicted error
`AutodiffNotSupportedError`, which begins ``Autodiff not supported for custom op `scale` `` and names the feature. What
an op of PyTorch does without its derivative is described under autodiff-not-supported.

## Fix safety
There is no automatic fix: whether a machine has the feature is for its owner to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, behind, doubts, on_backend, opening
from .model.faults import is_gated, tracked_faults
from .model.finding import Finding
from .model.labels import called_here, gated_here, required_here
from .model.project import Cause, Outcome, Status
from .model.table import LiveCell, Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each op that a tracked call can reach and whose derivative a feature or guard keeps out."""
    for live, hole, backend, calls in tracked_faults(table, _is_kept_out):
        message = f"`{live.op.name}` has its derivative{on_backend(backend)} {behind(table, hole)}"
        labels = [gated_here(live, hole), *required_here(table.target, "autodiff"), *called_here(calls)]
        details = opening(table, live, hole) | doubts(hole, calls) | {"backend": backend}
        yield rule.at_cell(table, live, hole, message, labels, **details)


def _is_kept_out(live: LiveCell, outcome: Outcome) -> bool:
    is_shadowed = outcome.cause is Cause.SHADOWED
    return outcome.status is Status.HOLE and not is_shadowed and is_gated(live.cell, outcome)


RULE = Rule("OPC202", "autodiff-gated-off", __doc__ or "", check)

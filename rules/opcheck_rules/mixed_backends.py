"""A call mixes arrays of different backends.

## What it does
Reports a call of an op of opcheck's runtime whose array inputs evidently lie on different backends. The first float
array decides the backend, and every other array has to be on it; scalars of Python and of NumPy go with any.

## Why is this bad?
The call raises for every backend: no kernel is handed arrays that it cannot compute with.

## Example
```toml
[tool.opcheck.targets.serve]
backends = ["cupy"]
```
```python
import cupy as cp
import numpy as np
from opcheck_runtime import FloatArray, op

WEIGHTS = np.array([0.25, 0.5, 0.25])

@op(backends=["numpy", "cupy"])
def smooth(x: FloatArray, weights: FloatArray) -> FloatArray:
    return (x * weights).sum()

def warm_up():
    return smooth(cp.ones(3), WEIGHTS)
```

## Use instead
```python
import cupy as cp
import numpy as np
from opcheck_runtime import FloatArray, op

WEIGHTS = np.array([0.25, 0.5, 0.25])

@op(backends=["numpy", "cupy"])
def smooth(x: FloatArray, weights: FloatArray) -> FloatArray:
    return (x * weights).sum()

def warm_up():
    return smooth(cp.ones(3), cp.asarray(WEIGHTS))
```

## Predicted error
`MixedBackendsError`, which begins ``Mixed backends for custom op `smooth`: parameter `x` holds a `cupy` array``.

## Fix safety
There is no automatic fix: which of the inputs is to be converted is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, about, calls_standing
from .model.calls import by_function, missing
from .model.finding import Finding, Label
from .model.labels import at_each
from .model.project import Op, Use
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each function that calls an op with arrays of different backends."""
    for op in table.checked:
        for calls in by_function(use for use in table.uses(op) if use.mixed_error is not None):
            yield from _mixing(rule, table, op, calls)


def _mixing(rule: Rule, table: Table, op: Op, calls: list[Use]) -> Iterator[Finding]:
    """A call that lacks the backend of the first array fails by that, before the others are looked at."""
    backend = calls[0].backend or ""
    lacks = missing(table, op, backend, "forward")
    condition = op.defined if lacks is None else op.defined & ~lacks.condition
    errors = [use.mixed_error for use in calls if use.mixed_error is not None]
    found = calls_standing(table, calls, condition, errors[0])
    if found is not None:
        met, details = found
        labels = at_each(met, f"its first array is on `{backend}`, another one is not")
        labels.append(Label(op.span, "declared here"))
        message = f"`{op.name}` is called with arrays of different backends"
        details |= {**about(op), "context": "forward", "subject": calls[0].function}
        details["help"] = "convert one of them before the call"
        yield rule.finding(table, message, labels, **details)


RULE = Rule("OPC502", "mixed-backends", __doc__ or "", check, every_target=True)

"""A call passes arrays of a backend that the op lacks.

## What it does
Reports a call whose input evidently lies on a backend that the op has no kernel for, whatever backends a target lists:
the call itself says which one comes. Fresh arrays (`np.ones`, `cp.asarray`), `device="cuda"`, `.to("cpu")` and the
names they are given are evidence; what came in by a parameter is not. A call whose error is handled is left alone.
Where a target lists that backend, the call is shown with the finding about it.

## Why is this bad?
The call can only raise. It does so where it is first run, which for code of a GPU path may be far from where it is
tested.

## Example
```toml
[tool.opcheck.targets.serve]
backends = ["cupy"]
```
```python
import numpy as np
from opcheck_runtime import FloatArray, op

@op(backends=["cupy"])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by

def warm_up():
    return scale(np.ones(3), 2.0)
```

## Use instead
```python
import cupy as cp
from opcheck_runtime import FloatArray, op

@op(backends=["cupy"])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by

def warm_up():
    return scale(cp.ones(3), 2.0)
```

## Predicted error
`BackendNotSupportedError`, which begins ``Backend not supported for custom op `scale` ``; for an op of PyTorch
`NotImplementedError`, which begins `Could not run 'ns::op' with arguments from the 'CUDA' backend`.

## Fix safety
There is no automatic fix: the input may belong elsewhere, or a kernel is missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Details, Rule, about, calls_standing, quoted
from .model.calls import by_function, missing
from .model.faults import served
from .model.finding import Finding, Label
from .model.labels import at_each
from .model.project import Op
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each function that calls an op on a backend which it lacks."""
    for op in table.checked:
        for backend in dict.fromkeys(use.backend for use in table.uses(op)):
            if backend is not None:
                yield from _called_on(rule, table, op, backend)


def _called_on(rule: Rule, table: Table, op: Op, backend: str) -> Iterator[Finding]:
    lacks = missing(table, op, backend, "forward")
    if lacks is None:
        return
    message = f"`{op.name}` is called on backend `{backend}`, which it has no kernel for"
    for calls in by_function(use for use in table.uses(op) if use.backend == backend):
        found = calls_standing(table, calls, lacks.condition, lacks.error)
        if found is not None:
            met, details = found
            labels = [*at_each(met, f"the input is on `{backend}`"), Label(op.listing, "declared here")]
            subject: Details = {"subject": calls[0].function}
            yield rule.finding(table, message, labels, **_details(op, backend) | details | subject)


def _details(op: Op, backend: str) -> Details:
    notes = (f"`{op.name}` has kernels for {quoted(served(op))}",)
    advice = f"pass an array of a backend that it serves, or give it a `{backend}` kernel"
    return {**about(op), "backend": backend, "context": "forward", "notes": notes, "help": advice}


RULE = Rule("OPC501", "call-on-unsupported-backend", __doc__ or "", check, every_target=True)

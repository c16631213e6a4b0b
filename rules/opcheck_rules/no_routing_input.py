"""An op without an input that could select its backend.

## What it does
Reports an op that has no array input and yet lists several backends, or a derivative.

## Why is this bad?
The backend of a call is the backend of its arrays. Without any, nothing says which of the listed kernels is meant, and
there is nothing to differentiate with respect to.

## Example
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy", "cupy"])
def full(length: int, value: float) -> FloatArray: ...
```

## Use instead
Pass an array of the backend that is wanted, or declare one op for each backend.
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy", "cupy"])
def full_like(x: FloatArray, value: float) -> FloatArray:
    return 0 * x + value
```

## Predicted error
`DeclarationError` at import.

## Fix safety
There is no automatic fix: the op's interface has to change.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, about, standing
from .model.finding import Finding
from .model.labels import declared_here
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each op whose inputs cannot select a backend."""
    for op in table.project.ops:
        for fault in op.routing_faults:
            details = standing(table, op.defined & fault.condition)
            if details is not None:
                message = f"`{op.name}` has no input to select its backend from"
                labels = [declared_here(op.listing, fault.detail)]
                details |= {"help": fault.help, "error": fault.error, **about(op)}
                yield rule.finding(table, message, labels, **details)


RULE = Rule("OPC405", "no-routing-input", __doc__ or "", check, every_target=True)

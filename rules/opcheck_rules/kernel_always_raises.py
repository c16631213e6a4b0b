"""A kernel does nothing but raise.

## What it does
Reports an op whose kernel for a target's backend has a body that only raises.

## Why is this bad?
The dispatcher counts such a kernel as support, and so does everything that asks it: tables, `hasattr`, tests of which
backends are registered. The hole is there all the same, and looks covered.

## Example
```toml
[tool.opcheck.targets.serve]
backends = ["numpy", "cupy"]
```
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy", "cupy"])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by

@scale.kernel("cupy")
def _(x, by):
    raise NotImplementedError("scale is not ported to CuPy")
```

## Use instead
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy"], unsupported={"cupy": "not ported yet"})
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
```

## Predicted error
The one the kernel raises, in its own words: here `NotImplementedError: scale is not ported to CuPy`.

## Fix safety
There is no automatic fix: the kernel has to be written, or dropped.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, named
from .model.faults import raising_kernels
from .model.finding import Finding
from .model.labels import at_raise, declared_here
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each required backend whose kernel only raises."""
    for live, found, stub in raising_kernels(table, refusing=False):
        what = f"a kernel that only raises for backend `{live.cell.backend}`"
        message = f"`{live.op.name}` has {what}, which {named(table.target)} runs on"
        labels = at_raise(table, live, found, declared_here(stub.span, f"always raises `{stub.raises.type}`"))
        advice = "write the kernel, or drop it and mark the backend as unsupported"
        yield rule.at_cell(table, live, found, message, labels, help=advice, error=stub.raises)


RULE = Rule("OPC104", "kernel-always-raises", __doc__ or "", check)

"""A kernel that serves a backend raises on it.

## What it does
Reports a kernel that is registered for a target's backend, most often for every backend at once, and whose body
asserts or raises where its input lies on this one. Only what is certain is reported: a guard that hangs on more than
the input's device and the module's own constants is left alone.

## Why is this bad?
Nothing is missing from the dispatch table, so nothing looks for another kernel: the call arrives, and fails with an
internal assertion that says little to whoever made it.

## Example
```python
import torch

@torch.library.custom_op("shop::blur", mutates_args=())
def blur(x: torch.Tensor) -> torch.Tensor:
    assert x.is_cuda, "expected a CUDA tensor"
    return x.mean(-1, keepdim=True)
```

## Use instead
Register the kernel for the backends it is made for, and another one for the rest.
```python
import torch

@torch.library.custom_op("shop::blur", mutates_args=(), device_types="cuda")
def blur(x: torch.Tensor) -> torch.Tensor:
    return x.mean(-1, keepdim=True)

@blur.register_kernel("cpu")
def _(x):
    return x.sum(-1, keepdim=True) / x.shape[-1]
```

## Predicted error
The one the kernel raises, in its own words: here `AssertionError: expected a CUDA tensor`.

## Fix safety
There is no automatic fix: the kernel has to be written, or the backend left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, named
from .model.faults import raising_kernels
from .model.finding import Finding
from .model.labels import at_raise, declared_here
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each required backend whose kernel raises because of where its input lies."""
    for live, found, stub in raising_kernels(table, refusing=True):
        op, backend = live.op, live.cell.backend
        message = f"`{op.name}` has a kernel that refuses backend `{backend}`, which {named(table.target)} runs on"
        labels = at_raise(table, live, found, declared_here(stub.span, f"raises `{stub.raises.type}` there"))
        advice = f"register a kernel for `{backend}`, or register this one only for the backends it is made for"
        yield rule.at_cell(table, live, found, message, labels, help=advice, error=stub.raises)


RULE = Rule("OPC105", "kernel-refuses-backend", __doc__ or "", check)

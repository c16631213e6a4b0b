"""A function that completes an op can't take the op's parameters.

## What it does
Reports a kernel, a fake kernel or a derivative rule whose parameters are not those that the op passes on: too few, too
many, a parameter of another name where it is passed by name, or one without the default that the op has. Where
parameters are passed by position their names are free.

## Why is this bad?
PyTorch looks at the function only when it is called. A trailing argument that equals the op's default is not even
passed on, so a fake kernel without that default fails for exactly the calls that leave the argument out.

## Example
```python
import torch

@torch.library.custom_op("shop::norm", mutates_args=())
def norm(x: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    return x / (x.norm() + eps)

@norm.register_fake
def _(x, eps):
    return torch.empty_like(x)
```

## Use instead
```python
import torch

@torch.library.custom_op("shop::norm", mutates_args=())
def norm(x: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    return x / (x.norm() + eps)

@norm.register_fake
def _(x, eps=1e-5):
    return torch.empty_like(x)
```

## Predicted error
`TypeError` when the function is called, in Python's own words: `_() missing 1 required positional argument: 'eps'`.
opcheck's runtime asks when the function is registered, and raises `DeclarationError`.

## Fix safety
There is no automatic fix: what the function does with the parameter is for its author to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .base import Details, Rule, standing
from .model.finding import Finding, Label, Severity
from .model.labels import declared_here
from .model.project import Mismatch, Registration
from .model.table import Table

_KINDS: Final = {"kernel": "a kernel", "fake": "a fake kernel", "derivative": "a derivative rule"}


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each function that can't take what its op passes on, once however often it is registered."""
    found = {(r.op, r.mismatch.span): (r, r.mismatch) for r in table.project.registrations if r.mismatch is not None}
    for registration, mismatch in found.values():
        details = standing(table, registration.condition)
        if details is not None:
            yield _finding(rule, table, registration, mismatch, details)


def _finding(rule: Rule, table: Table, registration: Registration, mismatch: Mismatch, details: Details) -> Finding:
    op = registration.op
    message = f"`{op}` has {_KINDS[registration.kind]} that can't take its parameters: {mismatch.detail}"
    span = next((o.span for o in table.project.ops if o.name == op and o.framework == registration.framework), None)
    labels = [declared_here(mismatch.span, f"called with `({mismatch.expected})`")]
    labels += [Label(span, "declared here")] if span is not None and span != mismatch.span else []
    details |= {"op": op, "framework": registration.framework, "error": mismatch.error}
    details["subject"] = f"{registration.kind} {registration.key or ''}"
    details["help"] = f"write its parameters as `({mismatch.expected})`"
    if mismatch.by_default:
        details["notes"] = ("an argument that equals its default is not passed on",)
    elif not mismatch.always:
        details |= {"severity": Severity.WARNING, "notes": ("only a call that passes an optional argument raises",)}
    return rule.finding(table, message, labels, **details)


RULE = Rule("OPC406", "signature-mismatch", __doc__ or "", check, every_target=True)

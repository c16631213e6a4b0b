"""A fake kernel that a composite kernel makes an error.

## What it does
Reports a fake kernel registered for an op after a composite kernel which decomposes. Registered before it, the fake
raises nothing, and is not reported.

## Why is this bad?
The composite kernel is made of other ops, each of which has a fake of its own, so the op needs none. PyTorch insists on
it: registering one raises, and the module can't be imported.

## Example
```python
import torch

torch.library.define("shop::twice", "(Tensor x) -> Tensor")

@torch.library.impl("shop::twice", "CompositeImplicitAutograd")
def twice(x):
    return x + x

@torch.library.register_fake("shop::twice")
def _(x):
    return torch.empty_like(x)
```

## Use instead
```python
import torch

torch.library.define("shop::twice", "(Tensor x) -> Tensor")

@torch.library.impl("shop::twice", "CompositeImplicitAutograd")
def twice(x):
    return x + x
```
A kernel whose body must not be traced belongs to `CompositeExplicitAutograd`, which `"default"` means, and can have a
fake beside it.

## Predicted error
`RuntimeError: We should not register a meta kernel directly to the operator 'shop::twice', because it has a
CompositeImplicitAutograd kernel in core.` at import.

## Fix safety
The fake kernel is removed, with the comments above it; of a function that has more decorators, or whose name its file
has elsewhere, only the decorator. It is unsafe: the other kernel may have been meant for another key. There is no fix
in a loop or a function.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, raised_by, standing
from .model.finding import Finding, Label
from .model.labels import declared_here
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each fake kernel that an earlier kernel of its op makes an error."""
    for registration in table.project.registrations:
        redundant = registration.redundant
        details = standing(table, redundant.condition) if redundant is not None else None
        if redundant is not None and details is not None:
            message = f"`{registration.op}` has a composite kernel, which makes registering a fake one an error"
            labels = [declared_here(registration.span, "raises"), Label(redundant.span, "the composite kernel")]
            details |= {"op": registration.op, "framework": registration.framework}
            details["error"] = raised_by(registration, redundant.error)
            details["help"] = "drop the fake kernel, or register the other one as `CompositeExplicitAutograd`"
            yield rule.finding(table, message, labels, **details)


RULE = Rule("OPC408", "redundant-fake-kernel", __doc__ or "", check, every_target=True)

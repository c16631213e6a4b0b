"""A kernel hides the gradient that a composite kernel brought.

## What it does
Under a target with `autodiff = true`, reports an op that has a composite kernel, made of ops that have derivatives, and
beside it a kernel for one backend, or for all of them, that is found first and has no derivative.

## Why is this bad?
Before the second kernel was added the op was differentiable, without a line about it. Where it runs now, the gradient
no longer comes from the composite kernel: a faster kernel for one device has silently ended training there.

## Example
```toml
[tool.opcheck.targets.train]
backends = ["cpu"]
autodiff = true
```
```python
import torch

torch.library.define("shop::square", "(Tensor x) -> Tensor")
torch.library.impl("shop::square", "CompositeImplicitAutograd", lambda x: x * x)
torch.library.impl("shop::square", "cpu", lambda x: torch.from_numpy(x.numpy() ** 2))

def loss(x):
    return torch.ops.shop.square(x).sum()
```

## Use instead
Give the op a derivative of its own.
```python
import torch

torch.library.define("shop::square", "(Tensor x) -> Tensor")
torch.library.impl("shop::square", "cpu", lambda x: torch.from_numpy(x.numpy() ** 2))

def backward(ctx, grad):
    return 2 * ctx.saved_tensors[0] * grad

def setup_context(ctx, inputs, output):
    ctx.save_for_backward(*inputs)

torch.library.register_autograd("shop::square", backward, setup_context=setup_context)

def loss(x):
    return torch.ops.shop.square(x).sum()
```

## Predicted error
`UserWarning` in backward, which begins `ns::op: an autograd kernel was not registered to the Autograd key(s)`. The
gradient is lost where the kernel leaves PyTorch; with a kernel in plain PyTorch it is right, and the finding a warning.

## Fix safety
There is no automatic fix: the derivative has to be written, or the kernel dropped.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, doubts, named, on_backend
from .model.faults import tracked_faults
from .model.finding import Finding, Label
from .model.labels import called_here, declared_here, required_here
from .model.project import Cause, Outcome
from .model.table import LiveCell, Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each op that a tracked call can reach and whose gradient another of its kernels hides."""
    for live, hole, backend, calls in tracked_faults(table, _is_shadowed):
        op, where = live.op, on_backend(backend)
        message = f"`{op.name}` hides the gradient of its composite kernel{where}, which {named(table.target)} asks for"
        labels = [declared_here(hole.outcome.span or op.span, "found before the composite kernel")]
        labels += [Label(op.span, "declared here")] if op.span != labels[0].span else []
        labels += required_here(table.target, "autodiff") + called_here(calls)
        advice = "register a derivative with `register_autograd`, or drop this kernel"
        details = doubts(hole, calls) | {"backend": backend, "help": advice}
        yield rule.at_cell(table, live, hole, message, labels, **details)


def _is_shadowed(_: LiveCell, outcome: Outcome) -> bool:
    return outcome.cause is Cause.SHADOWED


RULE = Rule("OPC205", "gradient-shadowed", __doc__ or "", check)

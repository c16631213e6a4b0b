"""An op without a fake kernel is to be compiled.

## What it does
Under a target with `compile = true`, reports an op that has no fake (or meta) kernel, where the framework generates
none and no composite kernel stands in for it. A fake kernel behind a guard that fails, or may fail, on that machine is
reported with its guard.

## Why is this bad?
A compiler traces a program with tensors that have a shape and no data. An op that can't say what shape it returns stops
the trace: it raises, or breaks the graph in two without a word, and the speed that compiling was to bring is gone.

## Example
```toml
[tool.opcheck.targets.train]
backends = ["cpu"]
compile = true
```
```python
import torch

@torch.library.custom_op("shop::blur", mutates_args=())
def blur(x: torch.Tensor) -> torch.Tensor:
    return x.mean(-1, keepdim=True)
```

## Use instead
```python
import torch

@torch.library.custom_op("shop::blur", mutates_args=())
def blur(x: torch.Tensor) -> torch.Tensor:
    return x.mean(-1, keepdim=True)

@blur.register_fake
def _(x):
    return x.new_empty((*x.shape[:-1], 1))
```

## Predicted error
For an op of `custom_op`, `RuntimeError`, which begins `There was no fake impl registered for`. An op made by `define`
raises only where the graph has to stay whole (`fullgraph=True`, export): there the finding is a warning.

## Fix safety
There is no automatic fix: only the kernel's author knows the shapes it returns.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, missing_parts
from .model.finding import Finding
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each op that a target compiles and that nothing can trace."""
    advice = "register one that gives the shape and type of the result, with `register_fake`"
    survived = "where the graph need not stay whole it breaks there, and nothing is raised"
    return missing_parts(rule, table, "compile", "fake kernel", "compiles", {"help": advice}, survived)


RULE = Rule("OPC301", "fake-kernel-missing", __doc__ or "", check)

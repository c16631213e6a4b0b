"""An op that can't be batched meets `vmap`.

## What it does
Under a target with `vmap = true`, reports an op that has no batching rule and that the framework's fallback, a loop
over the batch, does not serve: one that changes its arguments, or returns something else than tensors. A rule behind a
guard that fails, or may fail, on that machine is reported with its guard.

## Why is this bad?
For most ops the fallback is slow and right, so nobody misses a batching rule. For these it raises, in the first program
that puts `vmap` around a call of them.

## Example
```toml
[tool.opcheck.targets.sample]
backends = ["cpu"]
vmap = true
```
```python
import torch

@torch.library.custom_op("shop::shift", mutates_args=("x",))
def shift(x: torch.Tensor, by: float) -> None:
    x.add_(by)
```

## Use instead
Give it a batching rule, or return a new tensor.
```python
import torch

@torch.library.custom_op("shop::shift", mutates_args=())
def shift(x: torch.Tensor, by: float) -> torch.Tensor:
    return x + by
```

## Predicted error
`RuntimeError` under `vmap`, which begins `Batching rule not implemented for ns::op`.

## Fix safety
There is no automatic fix: the rule has to be written.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, missing_parts
from .model.finding import Finding
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each op that a target batches and that nothing can."""
    notes = ("the fallback serves only ops that change no argument and return tensors",)
    advice = "register one with `register_vmap`"
    return missing_parts(rule, table, "vmap", "batching rule", "batches", {"notes": notes, "help": advice})


RULE = Rule("OPC302", "batching-rule-missing", __doc__ or "", check)

"""An op without a derivative meets inputs that want one.

## What it does
Under a target with `autodiff = true`, reports an op that has no derivative under any condition and that a tracked call
can reach. Calls under `no_grad`, and those made by kernels and derivative rules, are not tracked. An op that nothing
calls is reported as a warning where it is declared with opcheck's runtime.

## Why is this bad?
The op works in inference, and in every test that asks for no gradient. In the first training step it raises, or lets
the gradient vanish without an error, which is worse.

## Example
```toml
[tool.opcheck.targets.train]
backends = ["numpy"]
autodiff = true
```
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy"])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by

def forward(x):
    return scale(x, 2.0)
```

## Use instead
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy"], autodiff=True)
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by

@scale.vjp
def _(grad, out, x, by):
    return by * grad

def forward(x):
    return scale(x, 2.0)
```

## Predicted error
`AutodiffNotSupportedError`, which begins ``Autodiff not supported for custom op `scale` ``. An op of PyTorch's
`custom_op` raises in backward. One made by `define` gives a `UserWarning`, and loses its gradient where its kernel is
opaque; with a kernel in plain PyTorch the gradient is right, and the finding only a warning.

## Fix safety
A native op is declared with `autodiff=True`, and the head of a derivative rule is written below it where the file has
none. It is unsafe: until its author has written the rest, the rule raises, and nothing more is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, doubts, named, on_backend
from .model.faults import is_gated, tracked_faults
from .model.finding import Finding
from .model.labels import called_here, declared_here, required_here
from .model.project import Cause, Op, Outcome
from .model.table import LiveCell, Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each op without a derivative that a tracked call can reach."""
    for live, hole, backend, calls in tracked_faults(table, _has_none):
        message = f"`{live.op.name}` has no derivative{on_backend(backend)}, which {named(table.target)} asks for"
        labels = [declared_here(live.op.span, "declared without a derivative")]
        labels += required_here(table.target, "autodiff") + called_here(calls)
        details = doubts(hole, calls) | {"backend": backend, "help": _help(live.op)}
        yield rule.at_cell(table, live, hole, message, labels, **details)


def _has_none(live: LiveCell, outcome: Outcome) -> bool:
    return outcome.cause is Cause.AUTODIFF_NOT_LISTED and not is_gated(live.cell, outcome)


def _help(op: Op) -> str:
    if op.listed is None:
        return "register a derivative with `register_autograd`, or call it where no gradient is wanted"
    return f"declare `autodiff=True` and register `@{op.own_name}.vjp`, or call it under `no_grad()`"


RULE = Rule("OPC201", "autodiff-not-supported", __doc__ or "", check)

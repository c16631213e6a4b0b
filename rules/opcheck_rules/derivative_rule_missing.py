"""A derivative is declared, and no rule computes it.

## What it does
Under a target with `autodiff = true`, reports an op that is declared with a derivative, its gate open, while nothing
registers the rule that computes it.

## Why is this bad?
The declaration promises a derivative, and whoever reads it relies on that. The first tracked call finds none.

## Example
```toml
[tool.opcheck.targets.train]
backends = ["numpy"]
autodiff = true
```
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy"], autodiff=True)
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
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
```

## Predicted error
`AutodiffNotSupportedError`, which begins ``Autodiff not supported for custom op `scale` `` and says that no rule is
registered.

## Fix safety
The head of the rule is written below the op. It is unsafe: until its author has written the rest, the rule raises, and
nothing more is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, named, on_backend
from .model.faults import is_gated, op_faults, tracked_calls
from .model.finding import Finding
from .model.labels import called_here, declared_here, required_here
from .model.project import Cause, Outcome
from .model.table import LiveCell, Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each op with a declared derivative that nothing computes, whatever calls it: it promises one."""
    for live, hole, backend in op_faults(table, "autodiff", _is_unwritten):
        op = live.op
        wanted = f"which {named(table.target)} asks for"
        message = f"`{op.name}` declares a derivative{on_backend(backend)}, {wanted}, without a rule for it"
        labels = [declared_here(hole.outcome.span or op.span, "declared here")]
        labels += required_here(table.target, "autodiff") + called_here(tracked_calls(table, op) or [])
        advice = f"register the rule with `@{op.own_name}.vjp`, or drop `autodiff` from the declaration"
        yield rule.at_cell(table, live, hole, message, labels, backend=backend, help=advice)


def _is_unwritten(live: LiveCell, outcome: Outcome) -> bool:
    return outcome.cause is Cause.NO_RULE and not is_gated(live.cell, outcome)


RULE = Rule("OPC203", "derivative-rule-missing", __doc__ or "", check)

"""A kernel is there, but its feature or guard keeps it out.

## What it does
Reports an op whose kernel for a target's backend stands behind a feature that the target does not enable, or behind a
guard (`if`, `try`/`except ImportError`) that fails, or may fail, on that machine.

## Why is this bad?
The declaration reads as if the backend were supported. Features are resolved when the decorator runs, guards when the
module is imported: on a machine where they turn out otherwise, the op imports without a word and raises when called.

## Example
```toml
[tool.opcheck.targets.serve]
backends = ["cupy"]
```
```python
from opcheck_runtime import FloatArray, gated, op

@op(backends=["numpy", gated("cupy", feature="gpu")])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
```

## Use instead
Enable the feature where the backend is needed.
```toml
[tool.opcheck.targets.serve]
backends = ["cupy"]
features = ["gpu"]
```
```python
from opcheck_runtime import FloatArray, gated, op

@op(backends=["numpy", gated("cupy", feature="gpu")])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
```
A guard that opcheck can't decide is settled by a line under the target's `assume` table.

## Predicted error
`BackendNotSupportedError`, which begins ``Backend not supported for custom op `scale` `` and names the feature; for an
op of PyTorch `NotImplementedError`, which begins `Could not run 'ns::op' with arguments from the 'CUDA' backend`.

## Fix safety
There is no automatic fix: whether a machine has the feature is for its owner to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, behind, opening
from .model.faults import faults, is_gated
from .model.finding import Finding
from .model.labels import asked_here, gated_here
from .model.project import Outcome, Status
from .model.table import LiveCell, Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each required backend whose kernel a feature or guard keeps out."""
    for live, hole in faults(table, "forward", _is_kept_out):
        message = f"`{live.op.name}` has its kernel for backend `{live.cell.backend}` {behind(table, hole)}"
        labels = [gated_here(live, hole), *asked_here(table, live)]
        yield rule.at_cell(table, live, hole, message, labels, **opening(table, live, hole))


def _is_kept_out(live: LiveCell, outcome: Outcome) -> bool:
    return outcome.status is Status.HOLE and is_gated(live.cell, outcome)


RULE = Rule("OPC102", "backend-gated-off", __doc__ or "", check)

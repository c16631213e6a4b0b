"""A call wants a gradient from an op without a derivative.

## What it does
Reports a call whose input is evidently tracked (`track(...)`, `requires_grad=True`, a parameter), or whose result is
evidently sent a gradient (a later `.backward()`), of an op that has no derivative, whether or not a target asks for
autodiff. Calls under `no_grad` and in what only the dispatcher runs are not tracked; a call whose error is handled is
left alone.

## Why is this bad?
The training step it stands in raises where it is first run, or learns nothing.

## Example
```toml
[tool.opcheck.targets.laptop]
backends = ["numpy"]
```
```python
import numpy as np
from opcheck_runtime import FloatArray, op, track

@op(backends=["numpy"])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by

def step():
    return scale(track(np.ones(3)), 2.0)
```

## Use instead
```python
import numpy as np
from opcheck_runtime import FloatArray, op, track

@op(backends=["numpy"], autodiff=True)
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by

@scale.vjp
def _(grad, out, x, by):
    return by * grad

def step():
    return scale(track(np.ones(3)), 2.0)
```

## Predicted error
`AutodiffNotSupportedError`, which begins ``Autodiff not supported for custom op `scale` ``. An op of PyTorch's
`custom_op` raises in backward. One made by `define` gives a `UserWarning`, and loses its gradient where its kernel is
opaque; with a kernel in plain PyTorch the gradient is right, and the finding only a warning.

## Fix safety
There is no automatic fix: the derivative has to be written.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule, about, calls_standing
from .model.calls import Missing, by_function, missing
from .model.finding import Finding, Label, Severity
from .model.labels import at_each
from .model.project import Op, Use
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each function whose call wants a gradient from an op that has no derivative."""
    for op in table.checked:
        wanting = [use for use in table.uses(op) if use.wants_gradient and use.mixed_error is None]
        lacks = {backend: _underived(table, op, backend) for backend in dict.fromkeys(use.backend for use in wanting)}
        for calls in by_function(use for use in wanting if lacks[use.backend] is not None):
            yield from _wanting(rule, table, op, lacks[calls[0].backend], calls)


def _underived(table: Table, op: Op, backend: str | None) -> Missing | None:
    """What every backend that a call may be on lacks; where it has no kernel, a call does not get that far."""
    asked = [backend] if backend is not None else table.backends(op)
    found = [(on, missing(table, op, on, "autodiff")) for on in asked if _has_kernel(table, op, on)]
    lacking = [lacks for _, lacks in found if lacks is not None]
    return lacking[0] if lacking and len(lacking) == len(found) else None


def _has_kernel(table: Table, op: Op, backend: str) -> bool:
    return missing(table, op, backend, "forward") is None


def _wanting(rule: Rule, table: Table, op: Op, lacks: Missing | None, calls: list[Use]) -> Iterator[Finding]:
    found = calls_standing(table, calls, lacks.condition, lacks.error) if lacks is not None else None
    if found is None or lacks is None:
        return
    met, details = found
    feature = lacks.outcome.feature
    why = f"its derivative is behind feature `{feature}`" if feature else "it has no derivative"
    labels = [*at_each(met, "a gradient is wanted here"), Label(op.span, "declared here")]
    details |= {**about(op), "backend": calls[0].backend, "context": "autodiff", "subject": calls[0].function}
    mend = f'enable it with `features = ["{feature}"]`' if feature else "give it a derivative"
    details["help"] = f"{mend}, or call it where no gradient is wanted"
    if lacks.outcome.survivable:
        details["severity"] = Severity.WARNING
    yield rule.finding(table, f"`{op.name}` is called for a gradient, but {why}", labels, **details)


RULE = Rule("OPC503", "tracked-call-not-supported", __doc__ or "", check, every_target=True)

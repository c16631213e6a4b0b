"""A backend the project runs on has no kernel.

## What it does
Reports an op that a target's backend has no kernel for, under any feature or guard: the declaration does not list the
backend, or nothing registers a kernel for it.

## Why is this bad?
The call imports, type-checks and passes its tests on a machine whose backend is declared. It raises on the machine that
was left out, which tends to be the one in production.

## Example
```toml
[tool.opcheck.targets.serve]
backends = ["numpy", "cupy"]
```
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy"])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
```

## Use instead
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy", "cupy"])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
```
Where the op is not meant for a backend, say so with a reason: `@op(..., unsupported={"cupy": "host only"})`, or
`"ns::op" = ["cuda"]` under `[tool.opcheck.unsupported]` for PyTorch's ops.

## Predicted error
`BackendNotSupportedError`, which begins ``Backend not supported for custom op `scale` ``; for an op of PyTorch
`NotImplementedError`, which begins `Could not run 'ns::op' with arguments from the 'CUDA' backend`. For an op of a
dispatcher that the configuration describes, what stands in the kernel's place raises, or what the description says.

## Fix safety
The backend is added to the declaration's list, where that is written out. It is unsafe: nothing tells whether the body
works on that backend. No kernel is written, and where the op would lack one the fix is not made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .base import Rule, named, quoted
from .model.faults import faults, is_gated, served
from .model.finding import Finding, Label
from .model.labels import asked_here, declared_here
from .model.project import Cause, Op, Outcome, Status
from .model.table import LiveCell, Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each required backend that an op has no kernel for under any condition."""
    for live, hole in faults(table, "forward", _is_left_out):
        op, backend = live.op, live.cell.backend
        message = f"`{op.name}` has no kernel for backend `{backend}`, which {named(table.target)} runs on"
        serving = served(op)
        labels = [declared_here(op.listing, _extent(table, op, backend, serving)), *_said_there(hole.outcome)]
        labels += asked_here(table, live)
        notes = (f"`{op.name}` has kernels for {quoted(serving)}",)
        yield rule.at_cell(table, live, hole, message, labels, notes=notes, help=_help(op, backend))


def _said_there(outcome: Outcome) -> list[Label]:
    """The label at the function that stands there to say that there is no kernel."""
    return [Label(outcome.stub.span, f"always raises `{outcome.stub.raises.type}`")] if outcome.stub is not None else []


def _is_left_out(live: LiveCell, outcome: Outcome) -> bool:
    if outcome.status is not Status.HOLE or is_gated(live.cell, outcome):
        return False
    return outcome.cause is Cause.NOT_LISTED or live.op.listed is None


def _extent(table: Table, op: Op, backend: str, serving: Sequence[str]) -> str:
    """How much of the target the declaration serves."""
    wanted = table.backends(op)
    if len(wanted) == 1:
        return f"not declared for `{backend}`"
    declared = serving if op.listed is None else op.listed
    return f"declared for {len(set(wanted) & set(declared))} of {len(wanted)} backends"


def _help(op: Op, backend: str) -> str:
    if op.listed is None:
        mark = f'`"{op.name}" = ["{backend}"]` under [tool.opcheck.unsupported]'
        return f"register a `{backend}` kernel, or leave it out on purpose with {mark}"
    mark = f'`unsupported={{"{backend}": "why"}}`'
    return f'list "{backend}" and give it a kernel, or leave it out on purpose with {mark}'


RULE = Rule("OPC101", "backend-not-supported", __doc__ or "", check)

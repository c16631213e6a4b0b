"""A kernel for a backend its op does not list.

## What it does
Reports a kernel registered for a backend that the op's declaration does not list.

## Why is this bad?
The declaration is what readers, tables and the dispatcher go by. A kernel beside it is either a backend that someone
forgot to list or one that was dropped and left its code behind, and registering it raises.

## Example
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy"])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by

@scale.kernel("cupy")
def _(x, by):
    return x * by
```

## Use instead
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy", "cupy"])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by

@scale.kernel("cupy")
def _(x, by):
    return x * by
```

## Predicted error
`DeclarationError` at import.

## Fix safety
Where a target runs on the backend, it is added to the list of the declaration, if that is written out there. This is
safe where registering the kernel raises at import, as no program gets past that. Elsewhere the kernel is removed, with
the comments above it; of a function that has more decorators, or whose name its file has elsewhere, only the decorator;
in a loop or a function nothing. That is unsafe: the backend can be listed instead.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Details, Rule, about, raised_by, standing
from .model.finding import Finding, Label
from .model.labels import declared_here, required_here
from .model.project import Op, Registration, Status
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each kernel that its op's declaration leaves out."""
    ops = {(op.framework, op.name): op for op in table.project.ops}
    for registration in table.project.registrations:
        op = ops.get((registration.framework, registration.op or ""))
        if op is not None and _is_undeclared(op, registration):
            details = standing(table, registration.condition)
            if details is not None:
                yield _finding(rule, table, op, registration, details)


def _is_undeclared(op: Op, registration: Registration) -> bool:
    if registration.kind != "kernel" or op.listed is None or not registration.known or registration.key in op.listed:
        return False
    cell = op.cells.get((registration.key or "", "forward"))
    # A list that was not read in full may name the backend after all.
    return cell is not None and all(outcome.status is not Status.UNKNOWN for outcome in cell.outcomes)


def _finding(rule: Rule, table: Table, op: Op, registration: Registration, details: Details) -> Finding:
    backend = registration.key
    message = f"`{op.name}` has a kernel for backend `{backend}`, which its declaration does not list"
    labels = [declared_here(registration.span, "not listed"), Label(op.listing, "the backends are listed here")]
    details |= {**about(op), "backend": backend, "error": raised_by(registration, registration.undeclared_error)}
    details["help"] = f'list "{backend}", or drop the kernel'
    if _is_required(table, op, str(backend)):
        labels += required_here(table.target, f"backends.{backend}")
        details["required"] = True
    return rule.finding(table, message, labels, **details)


def _is_required(table: Table, op: Op, backend: str) -> bool:
    """Whether the target runs the op on a backend that it lacks, and that is not left out on purpose."""
    asked = table.target.wants(op.name) and backend in table.backends(op)
    return asked and any(table.live(op, op.cells[backend, "forward"]).of(Status.HOLE))


RULE = Rule("OPC404", "undeclared-kernel", __doc__ or "", check, every_target=True)

"""A feature is enabled after what it gates was declared.

## What it does
Reports a gate that is resolved before `enable_features` turns its feature on, where one program runs both and neither
the target nor an earlier call has enabled it.

## Why is this bad?
Gates are resolved when the decorator runs, as features of a compiled program are: enabling one later does not create
what it gates. The call reads as if it did, and the op goes on without the backend.

## Example
```python
from opcheck_runtime import FloatArray, enable_features, gated, op

@op(backends=["numpy", gated("cupy", feature="gpu")])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by

enable_features("gpu")
```

## Use instead
```python
from opcheck_runtime import FloatArray, enable_features, gated, op

enable_features("gpu")

@op(backends=["numpy", gated("cupy", feature="gpu")])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
```
Over several modules: before the import of the one that declares.

## Predicted error
`BackendNotSupportedError`, which begins ``Backend not supported for custom op `scale` `` and says that the feature was
enabled after the declaration; `AutodiffNotSupportedError` where the gate is a derivative's.

## Fix safety
There is no automatic fix: moving the call moves what else it enables.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Details, Rule, about_gate, gated_part, standing
from .model.faults import gates
from .model.finding import Finding, Label
from .model.labels import declared_here
from .model.project import Enabling, Gate
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each gate whose feature is only enabled once it is too late, once for each."""
    for gate in gates(table):
        if not table.target.all_features and gate.feature not in table.target.features:
            found = (_finding(rule, table, gate, late) for late in _together(table, gate) if late.order > gate.order)
            yield from [finding for finding in found if finding is not None][:1]


def _together(table: Table, gate: Gate) -> list[Enabling]:
    """The statements that enable a gate's feature in a program that runs its declaration."""
    same = (enabling for enabling in table.project.enablings if enabling.feature == gate.feature)
    return [enabling for enabling in same if enabling.entries & gate.entries]


def _finding(rule: Rule, table: Table, gate: Gate, late: Enabling) -> Finding | None:
    condition = gate.condition & late.condition
    for enabling in _together(table, gate):
        if enabling.order < gate.order:
            condition = condition & ~enabling.condition
    details = standing(table, condition)
    if details is None:
        return None
    what = f"{gated_part(gate)} behind feature `{gate.feature}`"
    message = f"`{gate.op}` has {what}, which is enabled only after the declaration"
    labels = [declared_here(late.span, "enabled here"), Label(gate.span, "resolved before that")]
    advice = "enable it before the module that declares the op is imported"
    found: Details = {**details, **about_gate(gate), "help": advice}
    return rule.finding(table, message, labels, **found)


RULE = Rule("OPC602", "feature-enabled-late", __doc__ or "", check, every_target=True)

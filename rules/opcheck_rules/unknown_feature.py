"""A gate names a feature that nothing can enable.

## What it does
Reports a gate whose feature is named by no target of the configuration, by no `--feature`, and by no literal call of
`enable_features`. Where none of them names any feature at all, what stands behind a gate is left to the rules about
gates, which say how to open it.

## Why is this bad?
Most often the name is misspelt, at the gate or where it is meant to be enabled. The gate never opens: what stands
behind it is never there, on any machine.

## Example
```toml
[tool.opcheck.targets.serve]
backends = ["numpy", "cupy"]
features = ["gpu"]
```
```python
from opcheck_runtime import FloatArray, gated, op

@op(backends=["numpy", gated("cupy", feature="gpus")])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
```

## Use instead
```python
from opcheck_runtime import FloatArray, gated, op

@op(backends=["numpy", gated("cupy", feature="gpu")])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
```

## Predicted error
`BackendNotSupportedError`, which begins ``Backend not supported for custom op `scale` ``; `AutodiffNotSupportedError`
where the gate is a derivative's.

## Fix safety
There is no automatic fix: which of the two names is the right one is for their author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Details, Rule, about_gate, gated_part, nearest, standing
from .model.faults import gates
from .model.finding import Finding
from .model.labels import declared_here
from .model.project import Gate
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each gate of a feature that is not among those anything enables."""
    known = table.project.features | {*table.target.features}
    if table.target.all_features or not known:
        return
    for gate in gates(table):
        details = standing(table, gate.condition) if gate.feature not in known else None
        if details is not None:
            yield _finding(rule, table, gate, details, known)


def _finding(rule: Rule, table: Table, gate: Gate, details: Details, known: frozenset[str]) -> Finding:
    message = f"`{gate.op}` has {gated_part(gate)} behind feature `{gate.feature}`, which nothing can enable"
    near = nearest(gate.feature, sorted(known))
    advice = f"did you mean `{near}`?" if near else "name it under `features` of a target, or drop the gate"
    found: Details = {**details, **about_gate(gate), "help": advice}
    return rule.finding(table, message, [declared_here(gate.span, "no such feature")], **found)


RULE = Rule("OPC601", "unknown-feature", __doc__ or "", check, every_target=True)

"""A suppression that suppresses nothing.

## What it does
Reports each rule named by an `# opcheck: ignore[...]` comment, under `[tool.opcheck.per-file-ignores]` or under
`[tool.opcheck.per-op-ignores]`, and each entry of the baseline, that has no finding to suppress there: none under any
target of the configuration, of a rule that was chosen or not. It reports a comment that names no rule, or a rule that
does not exist. And it reports each backend that `unsupported` leaves out of an op, on its declaration or under
`[tool.opcheck.unsupported]`, where the op has a kernel for that backend, or does not exist.

Nothing is said of the ignores in a run that `--target` or `--backend` narrows, nor where a file can't be read, as what
was not looked at may be what they are for. A finding of this rule can be suppressed as any other can.

## Why is this bad?
The fault it was written for is mended or has moved. What is left hides the next one at the same place, and tells a
reader that something is missing which is there.

## Example
```toml
[tool.opcheck.targets.serve]
backends = ["numpy", "cupy"]
```
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy", "cupy"])  # opcheck: ignore[OPC101] CuPy has to wait
def double(x: FloatArray) -> FloatArray:
    return 2 * x
```

## Use instead
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy", "cupy"])
def double(x: FloatArray) -> FloatArray:
    return 2 * x
```

## Predicted error
None for an ignore. A native declaration that lists a backend and leaves it out raises `DeclarationError` at import.

## Fix safety
A rule that suppresses nothing is taken out of its comment, and with the last one the comment and its reason go. It is
safe: no program can tell. There is no automatic fix for a comment that names no rule or one that does not exist, for
the configuration's tables, or for `unsupported` marks. `opcheck baseline` drops entries of the baseline.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule
from .model.finding import Finding, Severity
from .model.labels import declared_here
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each suppression that is unused, unless what was not read may be what it is for."""
    if table.project.unreadable:
        return
    for unused in table.project.unused_suppressions:
        yield rule.finding(
            table,
            f"{unused.what} suppresses nothing",
            [declared_here(unused.span, unused.why)],
            severity=Severity.WARNING,
            op=unused.op,
            framework=unused.framework,
            backend=unused.backend,
            help=unused.help,
            subject=unused.subject,
            error=unused.error,
        )


RULE = Rule("OPC603", "unused-suppression", __doc__ or "", check, every_target=True)

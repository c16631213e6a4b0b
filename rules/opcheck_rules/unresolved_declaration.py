"""A declaration whose op or backends can't be determined.

## What it does
Reports a statement that declares or completes an op, and leaves open which one, for which backends, behind which
feature or whether with a derivative: the expression that says so comes to nothing that could be read. Statements that
hang on one expression are one finding. A function that takes the name of an op as a parameter is not reported, but the
calls of it that pass a name which can't be read.

## Why is this bad?
What the declaration may fill is unknown: holes there are neither reported nor ruled out.

## Example
```python
import torch
from vendor import platform

torch.library.define("shop::twice", "(Tensor x) -> Tensor")

@torch.library.impl("shop::twice", platform.dispatch_key)
def twice(x):
    return x + x
```

## Use instead
```python
import torch

torch.library.define("shop::twice", "(Tensor x) -> Tensor")

@torch.library.impl("shop::twice", "CPU")
def twice(x):
    return x + x
```
What depends on the machine can be said for each target:
`"vendor.platform.dispatch_key" = "CPU"` under `[tool.opcheck.targets.NAME.assume]`.

## Predicted error
None: the declaration may be right. What this rule finds is always a warning.

## Fix safety
There is no automatic fix: only its author knows what the expression comes to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from .base import Rule, assume_table
from .model.finding import Finding, Label, Severity
from .model.labels import declared_here
from .model.table import Table
from .model.unresolved import Part, Unresolved

_MOST_LABELS: Final = 3
_WORDS: Final[Mapping[Part, tuple[str, str]]] = {
    Part.DEFINITION: ("an op is named by {}", "name"),
    Part.KERNEL: ("a kernel is registered for an op named by {}", "name"),
    Part.FAKE: ("a fake kernel is registered for an op named by {}", "name"),
    Part.DERIVATIVE: ("a derivative is registered for an op named by {}", "name"),
    Part.VMAP: ("a batching rule is registered for an op named by {}", "name"),
    Part.BACKENDS: ("`{op}` is declared for the backends in {}", "backends"),
    Part.LISTED: ("`{op}` lists the backend in {}", "backend"),
    Part.BACKEND: ("`{op}` has a kernel for the backend in {}", "backend"),
    Part.FEATURE: ("`{op}` is gated by the feature in {}", "feature"),
    Part.AUTODIFF: ("whether `{op}` has a derivative is up to {}", "value of `autodiff`"),
}
"""How a headline says which part is open, and what that part is called."""


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each expression that could not be read, with the statements that hang on it."""
    open_here = [part for part in table.project.unresolved if _is_open(table, part)]
    for first, *rest in _alike(open_here):
        words, noun = _WORDS[first.part]
        expression = f"`{first.expression}`" if first.expression else "an expression"
        message = f"{words.format(expression, op=first.op)}, which can't be read"
        yield rule.finding(
            table,
            message,
            _labels(first, rest),
            op=first.op,
            framework=first.framework,
            severity=Severity.WARNING,
            notes=_notes(first, rest),
            subject=f"{first.part} {first.expression}",
            help=f"write the {noun} as a constant{_assuming(table, first)}",
        )


def _is_open(table: Table, part: Unresolved) -> bool:
    """Whether the statement can run under the target, which does not say what the expression is."""
    condition = part.condition if part.assumed is None else part.condition & ~part.assumed
    return not condition.under(table.decide).fails


def _alike(parts: Iterable[Unresolved]) -> Iterable[list[Unresolved]]:
    """The parts that hang on one expression, each statement once: one in a loop leaves something open many times."""
    statements = {part.span: part for part in reversed([*parts])}
    groups: dict[object, list[Unresolved]] = {}
    for part in sorted(statements.values(), key=lambda part: part.span):
        groups.setdefault((part.framework, part.expression or part.span), []).append(part)
    return groups.values()


def _labels(first: Unresolved, rest: Sequence[Unresolved]) -> list[Label]:
    return [declared_here(first.span, "not known"), *(Label(part.span, "nor here") for part in rest[:_MOST_LABELS])]


def _notes(first: Unresolved, rest: Sequence[Unresolved]) -> tuple[str, ...]:
    unchecked = "it has no row in the table: nothing of it is checked"
    unknown = "what it may fill is unknown in the table, and no hole"
    meaning = unchecked if first.part is Part.DEFINITION else unknown
    if not rest:
        return (meaning,)
    statements = "statement hangs" if len(rest) == 1 else "statements hang"
    return meaning, f"{len(rest)} more {statements} on the same expression"


def _assuming(table: Table, part: Unresolved) -> str:
    """The line of configuration that settles it, where one can: the accelerator's name, on a machine that has one."""
    names = [part.names[backend] for backend in table.target.backends if backend in part.names]
    if not names or not part.expression:
        return ""
    return f', or say what it is there: `"{part.expression}" = "{names[-1]}"` under {assume_table(table.target)}'


RULE = Rule("OPC407", "unresolved-declaration", __doc__ or "", check, every_target=True)

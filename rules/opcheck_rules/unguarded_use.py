"""An op is used where nothing says that it is defined.

## What it does
Reports a use of an op (a call, or a reference such as `OPS = [torch.ops.ns.op]`), and a registration that completes
one, that can be reached where the op is not defined: its definition stands behind a guard, or in a function that has to
be called first, and the use does not. A test around the use, a `try` that takes the error, an earlier call of the
function that defines the op, or an object made by one that does, cover it.

## Why is this bad?
On the machine it was written on the guard held. Elsewhere the program fails with the name of an attribute, far from the
guard that left the op out: at import where the use is a registration, or stands in a module's own body.

## Example
```toml
[tool.opcheck.targets.serve]
backends = ["cpu"]
```
```python
import torch

if torch.cuda.is_available():
    torch.library.define("shop::pack", "(Tensor x) -> Tensor")
    torch.library.impl("shop::pack", "cuda", lambda x: x.contiguous())

@torch.library.register_fake("shop::pack")
def _(x):
    return torch.empty_like(x)
```

## Use instead
```python
import torch

if torch.cuda.is_available():
    torch.library.define("shop::pack", "(Tensor x) -> Tensor")
    torch.library.impl("shop::pack", "cuda", lambda x: x.contiguous())

    @torch.library.register_fake("shop::pack")
    def _(x):
        return torch.empty_like(x)
```
A use in a function can ask for itself: `if hasattr(torch.ops.shop, "pack")`.

## Predicted error
For a fake kernel `RuntimeError` at import, which begins `operator ns::op does not exist`; for a derivative or a call
`AttributeError`, which begins `'_OpNamespace' 'ns' object has no attribute 'op'`.

## Fix safety
There is no automatic fix: what to do where there is no such op is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from .base import Details, Rule, about, declared_here, in_short, raised_by, standing
from .model.calls import by_function
from .model.facts import granting, is_call
from .model.finding import Finding, Label, PredictedError, Severity, Span
from .model.project import Op
from .model.table import Table

_COMPLETED: Final = {"fake": "gets a fake kernel", "derivative": "gets a derivative", "vmap": "gets a batching rule"}


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each op that is completed where its guard may not hold, and each function that uses it there."""
    # Registrations are judged as if every function had been called: which one comes first nothing says.
    whole = replace(table, decide=granting(is_call, table.decide))
    for op in table.project.ops:
        if not op.defined.fails and table.target.wants(op.name) and table.backends(op):
            yield from _completed(rule, whole, op)
            yield from _used(rule, table, op)


def _completed(rule: Rule, whole: Table, op: Op) -> Iterator[Finding]:
    raising = [r for r in whole.registrations(op) if r.undefined_error is not None and not r.handled]
    found = [(r, details) for r in raising if (details := standing(whole, r.condition & ~op.defined)) is not None]
    if found:
        (first, details), spans = found[0], [r.span for r, _ in found]
        what, error = _COMPLETED.get(first.kind, "gets a kernel"), raised_by(first, first.undefined_error)
        yield _finding(rule, whole, op, what, spans, details, error)


def _used(rule: Rule, table: Table, op: Op) -> Iterator[Finding]:
    """Calls and references, those of one function together."""
    for uses in by_function(use for use in table.mentions(op) if use.undefined_error is not None):
        found = [(u, details) for u in uses if (details := standing(table, u.condition & ~op.defined)) is not None]
        if found:
            (first, details), spans = found[0], [use.span for use, _ in found]
            what = "is called" if first.is_call else "is looked up"
            details["subject"] = first.function
            yield _finding(rule, table, op, what, spans, details, first.undefined_error)


def _finding(
    rule: Rule, table: Table, op: Op, what: str, spans: Sequence[Span], details: Details, error: PredictedError | None
) -> Finding:
    certain = details.get("severity") is Severity.ERROR
    message = f"`{op.name}` {what} where it {'is not' if certain else 'may not be'} defined"
    first, *rest = dict.fromkeys(spans)
    labels = [declared_here(first, "no guard sees to that here"), *(Label(span, "and here") for span in rest)]
    labels += [Label(op.span, "defined under a guard")] if op.has_definition else []
    notes = (f"it is defined only if {in_short(op.defined)}",)
    advice = "put it under the guard of the definition, or ask whether the op is there first"
    found: Details = {**about(op), **details, "notes": notes, "error": error, "help": advice}
    return rule.finding(table, message, labels, **found)


RULE = Rule("OPC504", "unguarded-use", __doc__ or "", check, every_target=True)

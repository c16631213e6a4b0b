"""An op is used where nothing says that it is defined.

## What it does
Reports a use of an op (a call, or a reference such as `OPS = [torch.ops.ns.op]`), and a registration that completes
one, that can be reached where the op is not defined: its definition stands behind a guard, or in a function that has to
be called first, and the use does not. A use is covered by a test around it, by a `try` that takes the error, by an
earlier call of the function that defines the op, and by standing in a class whose `__init__` makes that call.

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

from msgspec.structs import replace

from .base import Details, Rule, about, completion, in_short, raised_by, standing_each
from .model.calls import by_function
from .model.facts import granting, is_call
from .model.finding import Finding, Label, Severity
from .model.labels import at_each
from .model.project import Op, Registration, Use
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each op that is completed where its guard may not hold, and each function that uses it there."""
    # Registrations are judged as if every function had been called: which one comes first nothing says.
    whole = replace(table, decide=granting(is_call, table.decide))
    for op in table.project.ops:
        if not op.defined.fails and table.target.wants(op.name) and table.backends(op):
            yield from _completed(rule, whole, op)
            yield from _used(rule, table, op)


def _completed(rule: Rule, whole: Table, op: Op) -> Iterator[Finding]:
    raising = (r for r in whole.registrations(op) if r.undefined_error is not None and not r.handled)
    found = standing_each(whole, raising, ~op.defined)
    if found:
        first, details = found[0]
        details["error"] = raised_by(first, first.undefined_error)
        yield _finding(rule, whole, op, f"gets {completion(first.kind)}", [r for r, _ in found], details)


def _used(rule: Rule, table: Table, op: Op) -> Iterator[Finding]:
    """Calls and references, those of one function together."""
    for uses in by_function(use for use in table.mentions(op) if use.undefined_error is not None):
        found = standing_each(table, uses, ~op.defined)
        if found:
            first, details = found[0]
            details |= {"subject": first.function, "error": first.undefined_error}
            what = "is called" if first.is_call else "is looked up"
            yield _finding(rule, table, op, what, [use for use, _ in found], details)


def _finding(
    rule: Rule, table: Table, op: Op, what: str, made: Sequence[Use | Registration], details: Details
) -> Finding:
    certain = details.get("severity") is Severity.ERROR
    message = f"`{op.name}` {what} where it {'is not' if certain else 'may not be'} defined"
    labels = at_each(made, "no guard sees to that here")
    labels += [Label(op.span, "defined under a guard")] if op.has_definition else []
    notes = (f"it is defined only if {in_short(op.defined)}",)
    advice = "put it under the guard of the definition, or ask whether the op is there first"
    found: Details = {**about(op), **details, "notes": notes, "help": advice}
    return rule.finding(table, message, labels, **found)


RULE = Rule("OPC504", "unguarded-use", __doc__ or "", check, every_target=True)

"""The same op, or the same part of it, is declared twice.

## What it does
Reports a definition, kernel, derivative, fake or batching rule of an op that another one has declared before, where
one program imports both and their guards can hold together.

## Why is this bad?
One of the two is in vain. Depending on the framework the second raises at import or silently replaces the first, and
then the order of imports decides which kernel a call reaches.

## Example
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy"])
def scale(x: FloatArray, by: float) -> FloatArray: ...

@scale.kernel("numpy")
def _(x, by):
    return x * by

@scale.kernel("numpy")
def _(x, by):
    return by * x
```

## Use instead
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy"])
def scale(x: FloatArray, by: float) -> FloatArray: ...

@scale.kernel("numpy")
def _(x, by):
    return x * by
```
Two that are meant for different machines belong under guards that exclude each other.

## Predicted error
`DeclarationError` at import from opcheck's runtime; `RuntimeError` for an op that is defined twice in PyTorch, and none
for its kernels, of which the last one stands.

## Fix safety
There is no automatic fix: only their author knows which of the two is right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from .base import Details, Rule, raised_by, standing
from .model.finding import Finding, Label
from .model.labels import declared_here
from .model.project import Registration
from .model.table import Table

_TWICE: Final = {
    "define": "is defined twice",
    "listing": "lists {key} twice",
    "kernel": "has two kernels for {key}",
    "derivative": "has two derivatives",
    "fake": "has two fake kernels",
    "vmap": "has two batching rules",
}
_UNHEARD: Final = ("nothing is raised: which of the two runs is up to their order",)


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each registration of a slot that an earlier one has filled."""
    for slot in _slots(table.project.registrations):
        for place, later in enumerate(slot):
            collisions = ((earlier, _collision(table, earlier, later)) for earlier in slot[:place])
            found = next(((earlier, details) for earlier, details in collisions if details is not None), None)
            if found is not None:
                yield _finding(rule, table, found[0], later, found[1])


def _slots(registrations: Iterable[Registration]) -> Iterable[list[Registration]]:
    """The registrations of one slot each, in the order an import runs them."""
    slots = defaultdict[tuple[object, ...], list[Registration]](list)
    for r in sorted(registrations, key=lambda r: r.order):
        if r.op is not None:
            slots[r.framework, r.op, r.kind, r.key].append(r)
    return slots.values()


def _collision(table: Table, earlier: Registration, later: Registration) -> Details | None:
    """How it stands that one program runs both; None where none does, or where one replaces the other on purpose."""
    apart = (earlier.entries or later.entries) and earlier.entries.isdisjoint(later.entries)
    return None if apart or later.silent else standing(table, earlier.condition & later.condition)


def _finding(rule: Rule, table: Table, earlier: Registration, later: Registration, details: Details) -> Finding:
    key = f"`{later.key}`" if later.key else "every backend"
    message = f"`{later.op}` {_TWICE[later.kind].format(key=key)}"
    labels = [declared_here(later.span, "declared again here")]
    if earlier.span != later.span:
        labels.append(Label(earlier.span, "first declared here"))
    details |= {"op": later.op, "framework": later.framework, "error": raised_by(later, later.duplicate_error)}
    details |= {"backend": later.key, "subject": later.kind}
    details |= {"help": "keep one of the two, or put them under guards that exclude each other"}
    details["notes"] = () if later.duplicate_error else _UNHEARD
    return rule.finding(table, message, labels, **details)


RULE = Rule("OPC403", "duplicate-declaration", __doc__ or "", check, every_target=True)

"""A registration for an op that nothing defines.

## What it does
Reports a kernel, fake, derivative or batching rule registered for an op that nothing read defines, in a namespace which
no code that was left unread (a compiled extension) may fill, and suggests the nearest op that is defined. A namespace
that a package beside the project could fill is a warning, and only where the project has an op of that very name in a
namespace spelt much like it.

## Why is this bad?
Some registrations for an undefined op raise at import. Others are accepted in silence: the kernel is never called, and
the op it was written for stays without one.

## Example
```python
import torch

torch.library.define("mylib::scale", "(Tensor x, float by) -> Tensor")

@torch.library.impl("mylib::scales", "cpu")
def scale_cpu(x, by):
    return x * by
```

## Use instead
```python
import torch

torch.library.define("mylib::scale", "(Tensor x, float by) -> Tensor")

@torch.library.impl("mylib::scale", "cpu")
def scale_cpu(x, by):
    return x * by
```

## Predicted error
`RuntimeError: operator mylib::scales does not exist` or an `AttributeError` at import for fakes and derivatives; none
for kernels, which PyTorch accepts in silence.

## Fix safety
The op that was probably meant is written, where its name is a literal in every registration. It is unsafe: ops have
names like each other's, and a kernel comes to life that was never called.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import groupby

from .base import Details, Rule, certainty, completion, nearest, raised_by
from .model.condition import Condition
from .model.finding import Correction, Finding, Label, Severity
from .model.labels import at_each
from .model.project import Project, Registration
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each name that registrations complete and nothing defines, once."""
    found = sorted(_dangling(table), key=lambda r: (r.framework, str(r.op), r.order))
    for (framework, op), group in groupby(found, key=lambda r: (r.framework, str(r.op))):
        registrations = list(group)
        condition = reduce(Condition.__or__, (r.condition for r in registrations)).under(table.decide)
        severity, guard = certainty(condition.holds, condition)
        details: Details = {"op": op, "framework": framework, "severity": severity, "condition": guard}
        details |= _suggestion(table.project, framework, op)
        details["error"] = next((raised_by(r, r.undefined_error) for r in registrations if r.undefined_error), None)
        details["notes"] = () if details["error"] else ("nothing is raised: it is accepted, and never called",)
        if _namespace(op) in table.project.foreign_namespaces:
            details |= {"severity": Severity.WARNING, "condition": f"no package that was not read defines `{op}`"}
        yield rule.finding(table, *_words(registrations), **details)


def _dangling(table: Table) -> Iterator[Registration]:
    """The registrations that can run under the target, and complete an op which nothing can define."""
    defined = _defined(table.project)
    for r in table.project.registrations:
        if r.op is None or not r.needs_definition or (r.framework, r.op) in defined:
            continue
        if _is_undefined(table.project, r.framework, r.op) and not r.condition.under(table.decide).fails:
            yield r


def _is_undefined(project: Project, framework: str, op: str) -> bool:
    """Whether nothing can define an op.

    A package beside the project could, but where the project has an op of that name in a namespace like it, that one
    was meant.
    """
    namespace = _namespace(op)
    if namespace in project.foreign_namespaces:
        meant = _meant(project, framework, op)
        return meant is not None and _namespace(meant) != namespace
    return namespace not in project.open_namespaces


def _namespace(op: str) -> str:
    return op.partition("::")[0]


def _defined(project: Project) -> set[tuple[str, str]]:
    return {(op.framework, op.name) for op in project.ops if op.has_definition}


def _words(registrations: list[Registration]) -> tuple[str, list[Label]]:
    first = registrations[0]
    message = f"{completion(first.kind)} is registered for `{first.op}`, which nothing defines"
    return message, at_each(registrations, "no such op")


def _suggestion(project: Project, framework: str, op: str) -> Details:
    meant = _meant(project, framework, op)
    if meant is None:
        return {"help": "define the op, or drop what is registered for it"}
    return {"help": f"did you mean `{meant}`?", "correction": Correction(op, meant)}


def _meant(project: Project, framework: str, op: str) -> str | None:
    """The op of a name like it in the same namespace, else one of the same name in a namespace like it."""
    namespace, _, own = op.rpartition("::")
    parts = [name.rpartition("::") for known, name in _defined(project) if known == framework]
    near = nearest(own, (name for space, _, name in parts if space == namespace))
    if near:
        return f"{namespace}::{near}"
    near = nearest(namespace, (space for space, _, name in parts if name == own))
    return f"{near}::{own}" if near else None


RULE = Rule("OPC402", "unknown-op", __doc__ or "", check, every_target=True)

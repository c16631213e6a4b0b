"""A backend that nothing knows.

## What it does
Reports a declaration or registration that names a backend, device type or dispatch key which its framework does not
have, and suggests the nearest one it has.

## Why is this bad?
The backend that was meant stays without its kernel, and the module raises when it is imported.

## Example
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy", "cuppy"])
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

## Predicted error
An error at import: `DeclarationError` from opcheck's runtime, `RuntimeError` or `ValueError` from PyTorch.

## Fix safety
The backend that was probably meant is written, where the name is a literal. It is safe where the misspelt one raises at
import, as no program that runs has it. Elsewhere it is unsafe, as a kernel comes to life that was never called.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Details, Rule, nearest, quoted, raised_by, standing
from .model.finding import Correction, Finding, Label
from .model.labels import declared_here
from .model.project import Registration
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each registration whose key its framework does not know."""
    for registration in table.project.registrations:
        found = None if registration.known else standing(table, registration.condition)
        if found is not None:
            yield rule.finding(table, *_words(registration), **(_about(table, registration) | found))


def _words(registration: Registration) -> tuple[str, list[Label]]:
    what = f"`{registration.op}` is" if registration.op else "an op is"
    message = f"{what} declared for backend `{registration.key}`, which its framework does not know"
    return message, [declared_here(registration.span, "unknown backend")]


def _about(table: Table, registration: Registration) -> Details:
    """The finding is about the backend that was meant, so that its hole is not reported beside it."""
    backends = table.project.frameworks[registration.framework].backends
    written = str(registration.key)
    meant = nearest(written.lower(), backends)
    return {
        "op": registration.op,
        "framework": registration.framework,
        "backend": meant or registration.key,
        "help": f"did you mean `{meant}`?" if meant else f"the backends are {quoted(backends)}",
        "error": raised_by(registration, registration.unknown_error),
        "subject": f"{registration.kind} {written}",
        # A dispatch key (`CUDA`) is spelt in capitals where a device type (`cuda`) is not.
        "correction": Correction(written, meant.upper() if written.isupper() else meant) if meant else None,
    }


RULE = Rule("OPC401", "unknown-backend", __doc__ or "", check, every_target=True)

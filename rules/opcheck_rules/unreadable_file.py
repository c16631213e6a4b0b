"""A file that can't be decoded or parsed.

## What it does
Reports each file of the project that opcheck could not read: its bytes are not text in the encoding it declares, or the
text is not Python.

Where more than a megabyte of Python is asked about, only what can matter is parsed: files whose text names a way to
declare or use ops, and of those that they take names from all but the functions that nothing asks for. A mistake
anywhere else declares nothing, and is left to the tools that look at every line.

## Why is this bad?
What such a file declares is not known. A backend that it adds, or a kernel that it forgets, is missing from the
dispatch table, so a run without findings would promise more than was checked.

## Example
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy"]
def double(x: FloatArray) -> FloatArray:
    return 2 * x
```

## Use instead
```python
from opcheck_runtime import FloatArray, op

@op(backends=["numpy"])
def double(x: FloatArray) -> FloatArray:
    return 2 * x
```
A file that is not part of the project (a template, a test of another parser) belongs in `exclude`.

## Predicted error
None is predicted: an import of the file would raise `SyntaxError` or `UnicodeDecodeError`, but files that nothing
imports raise nothing.

## Fix safety
There is no automatic fix.
"""

from __future__ import annotations

from collections.abc import Iterator

from .base import Rule
from .model.finding import Finding
from .model.labels import declared_here
from .model.table import Table


def check(rule: Rule, table: Table) -> Iterator[Finding]:
    """Report each file that was not read."""
    for file in table.project.unreadable:
        name = file.span.path.rsplit("/", 1)[-1]
        message = f"`{name}` can't be read, so what it declares is not known"
        labels = [declared_here(file.span, file.reason)]
        yield rule.finding(table, message, labels, help="mend the file, or name it under `exclude`")


RULE = Rule("OPC001", "unreadable-file", __doc__ or "", check, every_target=True)

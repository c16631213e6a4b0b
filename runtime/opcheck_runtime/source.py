"""Where a function was written, and whether a second one of that name is a reload or a mistake."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Source:
    """Where a function stands; `line` is 1-based and, under decorators, that of the first of them.

    `execution` stands for one run of the module's code. A reload makes a new module spec and keeps the namespace;
    `exec` makes a new namespace and may have no spec.
    """

    module: str
    file: str
    line: int
    execution: object = field(repr=False)

    def __str__(self) -> str:
        """Give `file:line`, with the file relative to the working directory where it lies below it."""
        return f"{display_path(self.file)}:{self.line}"

    def conflicts_with(self, earlier: Source) -> bool:
        """Tell a second definition from the same one met again.

        A module run anew may define its functions again wherever they now stand, and so may a notebook, whose every
        cell is a file of its own. What is left is two places in one run of one file, or two modules.
        """
        if self.module != earlier.module:
            return True
        same_run = self.execution is earlier.execution and self.file == earlier.file
        return same_run and self.line != earlier.line


def source_of(function: Callable[..., Any]) -> Source:
    """Find where `function` was written, through wrappers and partials.

    A callable without Python code (a ufunc, a compiled kernel) is its own execution, under its own name.
    """
    while isinstance(function, functools.partial):
        function = function.func
    inner = inspect.unwrap(function)
    code = getattr(inner, "__code__", None)
    if code is None:
        label = f"<{type(inner).__module__}.{type(inner).__name__} {getattr(inner, '__name__', '')}>"
        return Source(module=label, file=label, line=0, execution=inner)
    namespace: dict[str, Any] = inner.__globals__
    spec = namespace.get("__spec__")
    return Source(
        module=inner.__module__,
        file=code.co_filename,
        line=code.co_firstlineno,
        execution=namespace if spec is None else spec,
    )


def display_path(file: str) -> str:
    """Give `file` relative to the working directory if it lies below it, with forward slashes."""
    path = Path(file)
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()

"""The live dispatch table: what every op declared in this process reaches, in the linter's shape."""

from __future__ import annotations

from typing import Any, Final

from .declared import DeclaredOp
from .messages import hole_reason
from .route import Hole, Kernel, derivative_hole, route_forward
from .source import display_path, source_of
from .spec import BACKENDS
from .state import OPS

TARGET: Final = "live"
"""The one target of a live table: this process."""


def dispatch_table(*modules: str) -> dict[str, Any]:
    """Give the table of op x backend x context as it stands, as plain data that `json` can write.

    With module names, only the ops of these modules and of those below them. Paths are relative to the working
    directory, lines 1-based; `status` is covered, hole or excluded (left out on purpose).
    """
    own = (__name__.partition(".")[0],)
    ops = [
        op
        for op in list(OPS.values())
        if (_is_below(op.function.__module__, modules) if modules else not _is_below(op.function.__module__, own))
    ]
    return {"schema_version": 1, "targets": [TARGET], "ops": [_row(op) for op in ops]}


def _is_below(module: str, roots: tuple[str, ...]) -> bool:
    return any(module == root or module.startswith(f"{root}.") for root in roots)


def _row(op: DeclaredOp) -> dict[str, Any]:
    return {
        "op": op.qualified_name,
        "framework": "native",
        "path": display_path(op.source.file),
        "line": op.source.line,
        "external": False,
        "defined": True,
        "cells": [cell for backend in BACKENDS for cell in (_forward(op, backend), _autodiff(op, backend))],
    }


def _forward(op: DeclaredOp, backend: str) -> dict[str, Any]:
    answer = route_forward(op.declaration, backend)
    if isinstance(answer, Hole):
        return _empty(op, backend, "forward", answer)
    return _cell(backend, "forward", "covered", answer.source, _kernel_reason(op, answer))


def _autodiff(op: DeclaredOp, backend: str) -> dict[str, Any]:
    """Describe the derivative's own slot: it can be there where the forward kernel is not."""
    hole = derivative_hole(op.declaration)
    forward = route_forward(op.declaration, backend)
    if isinstance(forward, Hole) and backend in op.unsupported:
        hole = forward
    if hole is not None:
        return _empty(op, backend, "autodiff", hole)
    assert op.vjp is not None, "a derivative without a rule is a hole"
    return _cell(backend, "autodiff", "covered", None, f"rule registered at {source_of(op.vjp)}")


def _kernel_reason(op: DeclaredOp, kernel: Kernel) -> str:
    if kernel.source == "body":
        return f"body at {op.source}"
    return f"kernel registered at {source_of(op.kernels[kernel.backend])}"


def _empty(op: DeclaredOp, backend: str, context: str, hole: Hole) -> dict[str, Any]:
    status = "excluded" if backend in op.unsupported else "hole"
    return _cell(backend, context, status, None, hole_reason(op, hole, backend))


def _cell(backend: str, context: str, status: str, via: str | None, reason: str) -> dict[str, Any]:
    return {
        "target": TARGET,
        "backend": backend,
        "context": context,
        "status": status,
        "via": via,
        "condition": None,
        "reason": reason,
    }

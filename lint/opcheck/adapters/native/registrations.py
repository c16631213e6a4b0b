"""From native records to registrations, as the rules about declarations read them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opcheck_rules.model.finding import PredictedError, Span
from opcheck_rules.model.project import Registration
from opcheck_runtime.spec import BACKENDS

from ...symbolic.collect import Reached
from .framework import NATIVE
from .gathered import Gathered
from .passed import mismatch
from .records import Declared, KernelAdded, RuleAdded


def registrations(gathered: Gathered) -> Iterator[Registration]:
    """Every registration about one op."""
    for i, declared in enumerate(gathered.declared):
        again = any(d.record.function.node is declared.record.function.node for d in gathered.declared[:i])
        define = _registration(declared, declared.record.op, "define", None, declared.span)
        # A declaration that runs a second time (in a loop, in a factory) replaces the op it made before.
        yield replace(define, needs_definition=False, silent=again)
        for arm in declared.record.arms:
            if arm.backend is not None:
                listing = _registration(declared, declared.record.op, "listing", arm.backend, arm.span)
                yield replace(listing, condition=declared.condition & arm.condition, silent=again)
    yield from _completions(gathered)


def _completions(gathered: Gathered) -> Iterator[Registration]:
    for kernel in gathered.kernels:
        if kernel.record.backend is not None:
            key, span = kernel.record.backend, kernel.record.backend_span
            made = _registration(kernel, kernel.record.op, "kernel", key, span)
            yield replace(made, mismatch=mismatch(gathered, kernel.record.function, ()))
    for rule in gathered.rules:
        made = _registration(rule, rule.record.op, "derivative", None, rule.span)
        yield replace(made, mismatch=mismatch(gathered, rule.record.function, ("grad", "out")))


def _registration(
    reached: Reached[Declared] | Reached[KernelAdded] | Reached[RuleAdded],
    op: str,
    kind: str,
    key: str | None,
    span: Span,
) -> Registration:
    error = PredictedError("import", "DeclarationError", f"custom op `{op.rpartition('.')[2]}`")
    return Registration(
        NATIVE.name,
        op,
        kind,
        key,
        reached.condition,
        span,
        reached.order,
        reached.entries,
        known=key is None or key in BACKENDS,
        undefined_error=error,
        duplicate_error=error,
        unknown_error=error,
        undeclared_error=error,
    )

"""Features: the gates that hang on one, and the statements that enable one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import PredictedError, Span
from opcheck_rules.model.project import Enabling, Gate

from ...symbolic.collect import Reached
from .framework import NATIVE
from .gathered import Gathered
from .records import Declared, FeaturesEnabled


def gates(gathered: Gathered) -> Iterator[Gate]:
    """Every gate of an op: of a backend's entry, or of its derivative."""
    for declared in gathered.declared:
        record = declared.record
        for arm in record.arms:
            if arm.feature is not None and arm.backend is not None:
                yield _gate(declared, arm.feature, arm.backend, arm.condition, arm.span)
        for derivative in record.derivatives:
            if derivative.feature is not None:
                yield _gate(declared, derivative.feature, None, derivative.condition, record.autodiff)


def _gate(declared: Reached[Declared], feature: str, backend: str | None, guard: Condition, span: Span) -> Gate:
    what, name = "Autodiff" if backend is None else "Backend", declared.record.function.name
    error = PredictedError("call", f"{what}NotSupportedError", f"{what} not supported for custom op `{name}`")
    condition = declared.condition & guard
    order, entries = declared.order, declared.entries
    return Gate(NATIVE.name, declared.record.op, feature, backend, condition, span, order, entries, error)


def enablings(enabled: Iterable[Reached[FeaturesEnabled]]) -> Iterator[Enabling]:
    """Every statement that enables a feature when it is imported: of one in a function nothing says when it runs."""
    for reached in enabled:
        if not reached.hypothetical:
            for name in reached.record.names:
                yield Enabling(name, reached.condition, reached.span, reached.order, reached.entries)

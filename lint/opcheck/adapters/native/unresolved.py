"""Native declarations of which a backend, a feature or the derivative could not be read."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opcheck_rules.model.finding import Span
from opcheck_rules.model.unresolved import Part, Unresolved

from ...symbolic.collect import Reached
from ...symbolic.values import Value
from ..emitting import definition
from ..unresolved import is_told, left_open
from .framework import NATIVE
from .gathered import Gathered
from .records import Declared, KernelAdded


def unresolved(gathered: Gathered) -> Iterator[Unresolved]:
    """Every part of an op's declaration and of its kernels that is open."""
    for declared in gathered.declared:
        record, function = declared.record, declared.record.function
        yield from _open(declared, function, Part.BACKENDS, record.text, record.listing)
        for arm in record.arms:
            here = replace(declared, condition=declared.condition & arm.condition)
            yield from _open(here, function, Part.LISTED, arm.text, arm.span)
            yield from _open(here, function, Part.FEATURE, arm.feature_text, arm.span)
        for said in record.derivatives:
            here = replace(declared, condition=declared.condition & said.condition)
            yield from _open(here, function, Part.AUTODIFF, said.text, record.autodiff)
    for kernel in gathered.kernels:
        yield from _open(kernel, kernel.record.function, Part.BACKEND, kernel.record.text, kernel.record.backend_span)


def _open(
    reached: Reached[Declared] | Reached[KernelAdded], function: Value, part: Part, text: str, span: Span
) -> Iterator[Unresolved]:
    """A part at its place, or at the call of the helper that makes the declaration."""
    if text and not is_told(reached, text):
        in_place = definition(function) in (None, reached.span)
        found = left_open(NATIVE.name, reached, reached.record.op, part, text)
        yield replace(found, span=span) if in_place else found

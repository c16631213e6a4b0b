"""What dispatchers were given, as the rules about declarations read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.project import Framework, Registration, Status
from opcheck_rules.model.unresolved import Part, Unresolved

from ...symbolic.collect import Reached
from ..unresolved import is_expression, left_open
from .description import Attribute, Calls, Classes, Items
from .offers import Offer
from .records import Supplied
from .rows import assumed
from .supplied import is_passed_on

_KINDS: Final[Mapping[str, str]] = {
    "forward": "kernel",
    "autodiff": "derivative",
    "compile": "fake",
    "vmap": "vmap",
}
_PARTS: Final[Mapping[str, Part]] = {
    "forward": Part.KERNEL,
    "autodiff": Part.DERIVATIVE,
    "compile": Part.FAKE,
    "vmap": Part.VMAP,
}


def registrations(framework: Framework, given: Sequence[Reached[Supplied]]) -> Iterator[Registration]:
    """Every registration of a named op. Tables of keywords stand beside each other, and replace nothing."""
    for one in given:
        record = one.record
        if record.op.full is None or record.alone or (record.backend and record.backend.full is None):
            continue
        key = record.backend.full if record.backend else None
        yield Registration(
            framework.name,
            record.op.full,
            _KINDS[record.description.context],
            key,
            one.condition,
            one.span,
            one.order,
            one.entries,
            known=key is None or key in framework.backends,
            silent=one.hypothetical,
            needs_definition=False,
        )


def fillings(framework: Framework, offers: Sequence[Offer]) -> Iterator[Registration]:
    """What classes, modules and tables of keywords supply: none of it replaces anything."""
    for offer in offers:
        is_other = isinstance(offer.description.shape, (Calls, Items)) or offer.outcome.status is Status.HOLE
        span, backend = offer.outcome.span, offer.backend.full if offer.backend is not None else None
        if is_other or offer.op.full is None or span is None or backend is None:
            continue
        yield Registration(
            framework.name,
            offer.op.full,
            _KINDS[offer.description.context],
            backend,
            offer.outcome.condition,
            span,
            0,
            known=backend in framework.backends,
            silent=True,
            needs_definition=False,
        )


def undecided(space: Conditions, framework: Framework, offers: Sequence[Offer]) -> Iterator[Unresolved]:
    """What classes and attributes leave open: for which backend they are."""
    names = _own_names(framework)
    for offer in (offer for offer in offers if isinstance(offer.description.shape, (Attribute, Classes))):
        backend, condition, span = offer.backend, offer.outcome.condition, offer.outcome.span
        if backend is not None and backend.full is None and span is not None:
            text, given = backend.text if is_expression(backend.text) else None, assumed(space, backend, names)
            yield Unresolved(framework.name, offer.op.full, Part.BACKEND, text, condition, span, given, names)


def unresolved(space: Conditions, framework: Framework, given: Sequence[Reached[Supplied]]) -> Iterator[Unresolved]:
    """What registrations leave open, where it is for their author to say."""
    for one in given:
        op, backend = one.record.op, one.record.backend
        if is_passed_on(one):
            continue
        if op.full is None:
            yield left_open(framework.name, one, None, _PARTS[one.record.description.context], op.text)
        elif backend is not None and backend.full is None:
            found = left_open(framework.name, one, op.full, Part.BACKEND, backend.text)
            names = _own_names(framework)
            yield replace(found, assumed=assumed(space, backend, names), names=names)


def _own_names(framework: Framework) -> Mapping[str, str]:
    """How a target would name each backend: as the dispatcher does."""
    return {name: name for name in framework.backends}

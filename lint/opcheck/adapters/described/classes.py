"""What a class for each backend offers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.project import Outcome, Status

from ...symbolic.collect import Reached
from ...symbolic.values import ClassValue
from ..emitting import definition
from .description import Classes, Description
from .loading import once_called
from .methods import Lookup, public_methods
from .offers import Known, Offer, Said
from .orders import orders
from .records import Derived, Name
from .watcher import Described


class Serving(Struct, frozen=True):
    """A class that serves a backend where `condition` holds."""

    cls: ClassValue
    backend: Name
    condition: Condition


def classes(described: Described, effects: Iterable[Reached[object]]) -> Said:
    """The methods of every described base, and which backends' classes have them."""
    found: dict[int, list[Reached[Derived]]] = defaultdict(list)
    for effect in effects:
        if isinstance(effect.record, Derived):
            found[id(effect.record.description)].append(effect.of(Derived))
    ops, offers = list[Known](), list[Offer]()
    for description in described.descriptions:
        if isinstance(description.shape, Classes):
            own, more = _said(described, description, description.shape, found[id(description)])
            ops += own
            offers += more
    return Said(ops, offers)


def _said(
    described: Described, description: Description, shape: Classes, derived: Sequence[Reached[Derived]]
) -> tuple[list[Known], list[Offer]]:
    serving = _innermost([s for one in derived for s in _serving(described, description, shape, one)])
    ops = list(_ops(described, description, shape, derived, serving))
    offers = [o for s in serving for o in _offers(described, description, shape, s, [known.op for known in ops])]
    return ops, offers


def _serving(
    described: Described, description: Description, shape: Classes, one: Reached[Derived]
) -> Iterator[Serving]:
    """The backends of one class. That a call makes it is no condition on what it has."""
    for there, backend in described.objects.backends(description, shape, one.record.cls):
        yield Serving(one.record.cls, backend, once_called(one.condition) & there)


def _innermost(serving: Sequence[Serving]) -> list[Serving]:
    """The classes without those that another one of the same backend derives from."""
    return [
        one
        for one in serving
        if not any(o.backend == one.backend and o.cls is not one.cls and one.cls in o.cls.mro() for o in serving)
    ]


def _ops(
    described: Described,
    description: Description,
    shape: Classes,
    derived: Sequence[Reached[Derived]],
    serving: Sequence[Serving],
) -> Iterator[Known]:
    space = described.machine.space
    bases, servers = described.base_classes(description), [one.cls for one in serving]
    there = space.any(one.condition for one in serving or derived)
    holders = [c for cls in (*bases, *(servers if shape.methods == "union" or not bases else ())) for c in cls.mro()]
    functions = public_methods(holders, space)
    first = next((place for cls in (*bases, *servers) if (place := definition(cls))), None)
    for name in _names(shape, functions, holders) if first else ():
        span = definition(functions[name]) if name in functions else first
        yield Known(description, Name(name, name), there, span or description.span)


def _names(shape: Classes, functions: Iterable[str], holders: Iterable[ClassValue]) -> Iterable[str]:
    """The methods that are ops: those named, else the public ones of some classes, with what was set on them later."""
    if not isinstance(shape.methods, str):
        return shape.methods
    added = (name for cls in holders for name in sorted(cls.added) if not name.startswith("_"))
    return dict.fromkeys([*functions, *added])


def _offers(
    described: Described, description: Description, shape: Classes, one: Serving, ops: Sequence[Name]
) -> Iterator[Offer]:
    """What one class has: of several for one backend the one that lacks a method counts."""
    backend = one.backend.full or ""
    receiver = described.objects.of(one.cls)
    space = described.machine.space
    lookup = Lookup(described.stubs, space, description, shape, backend, one.cls, receiver, orders(space, one.cls))
    for op in ops:
        for outcome in lookup.outcomes(op):
            condition = outcome.condition & one.condition
            if not condition.fails:
                rank = int(outcome.status is Status.HOLE), 0
                yield Offer(description, op, one.backend, _in(outcome, condition, one), rank)


def _in(outcome: Outcome, condition: Condition, one: Serving) -> Outcome:
    return replace(outcome, condition=condition, span=outcome.span or definition(one.cls))

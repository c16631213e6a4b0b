"""What a module or package for each backend offers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.finding import PredictedError, Span
from opcheck_rules.model.project import Outcome, Status

from ...symbolic.collect import Reached
from ...symbolic.modules import Module
from ...symbolic.scope import alternatives, covered
from ...symbolic.values import DictValue, FunctionValue, ListValue, Value, is_tuple
from ..emitting import definition
from .description import Description, Modules
from .methods import is_method
from .offers import Known, Offer, Said, Slot, filled, lacking, place, where
from .paths import found_at
from .records import Name, Offering
from .watcher import Described


def modules(described: Described, effects: Iterable[Reached[object]]) -> Said:
    """The functions of backends' modules, and which of them have each.

    A backend's modules are loaded where it is asked for: what picks one of them is no condition on what each has.
    """
    found = [effect.record for effect in effects if isinstance(effect.record, Offering)]
    ops, offers = list[Known](), list[Offer]()
    for description in described.descriptions:
        if isinstance(description.shape, Modules):
            here = [one for one in found if one.description is description]
            known = list(_ops(described, description, description.shape, here))
            ops += known
            offers += [o for one in here for k in known for o in _offers(described, one, k)]
    return Said(ops, offers)


def _ops(described: Described, description: Description, shape: Modules, found: Sequence[Offering]) -> Iterator[Known]:
    space = described.machine.space
    functions: dict[str, FunctionValue] = {}
    for one in found:
        if shape.ops not in description.backends or one.backend == shape.ops:
            for module in one.modules:
                functions |= {**_functions(space, module, one.modules), **functions}
    names = _listed(described, shape) or list(functions)
    first = next((Span(str(m.source.path), 1, 1, 1, 1) for one in found for m in one.modules), None)
    for name in names if first is not None else ():
        span = definition(functions[name]) if name in functions else None
        yield Known(description, Name(name, name), space.true, span or first or description.span)


def _listed(described: Described, shape: Modules) -> Sequence[str]:
    """The ops that a description names, or a list does whose path it gives."""
    if not isinstance(shape.ops, str):
        return shape.ops
    value = found_at(described.machine, described.paths.defined(shape.ops)) if "." in shape.ops else None
    return _texts(value)


def _texts(value: Value) -> list[str]:
    """The names that something lists: a list, lists by what they are of, or a dictionary from names."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, DictValue):
        listed = [text for item in value.items.values() if not isinstance(item, str) for text in _texts(item)]
        return listed or [key for key in value.items if isinstance(key, str)]
    items = value if is_tuple(value) else [v for _, v in value.items] if isinstance(value, ListValue) else ()
    return [text for item in items for text in _texts(item)]


def _functions(space: Conditions, module: Module, beside: Sequence[Module]) -> dict[str, FunctionValue]:
    """The functions that a module offers: those listed in its `__all__`, else those of its own that are public."""
    names = module.namespace.names
    public = _texts(names["__all__"]) if "__all__" in names else [n for n in names if not n.startswith("_")]
    found = ((name, v) for name in public if name in names for _, v in alternatives(names[name], space.true))
    return {n: v for n, v in found if isinstance(v, FunctionValue) and is_method(v) and v.module in beside}


def _offers(described: Described, one: Offering, known: Known) -> Iterator[Offer]:
    slot, backend = Slot(known.description, known.op, one.backend), Name(one.backend, one.backend)
    left = described.machine.space.true
    for module in one.modules:
        for outcome in _held(described, module, slot, left):
            yield Offer(known.description, known.op, backend, outcome)
            left = left & ~outcome.condition
    if not left.fails:
        yield Offer(known.description, known.op, backend, _missing(one.modules[0], slot, left))


def _held(described: Described, module: Module, slot: Slot, left: Condition) -> Iterator[Outcome]:
    """What a module holds under an op's name; it may hold what it does not name where something else fills it."""
    names, own = module.namespace.names, slot.op.own
    if own in names:
        value = names[own]
        for condition, found in alternatives(value, left & covered(value, described.machine.space.true)):
            span = where(found, None)
            reason, met = f"`{module.name}.{own}`{place(span)}", _meeting(module, own)
            blank = Outcome(condition, Status.COVERED, reason, "function", span=span, named=True, meeting=met)
            yield filled(described.stubs, slot, found, blank)
            left = left & ~condition
    if not left.fails and (module.namespace.is_open or "__getattr__" in names):
        yield Outcome(left, Status.UNKNOWN, f"`{module.name}` may have names that were not read")


def _missing(module: Module, slot: Slot, left: Condition) -> Outcome:
    name, own = module.name, slot.op.own
    error = PredictedError("call", "AttributeError", f"module '{name}' has no attribute '{own}'")
    return lacking(slot, left, f"`{name}` has no `{own}`", error, _meeting(module, own))


def _meeting(module: Module, name: str) -> str:
    """The expression that calls what a module has under a name."""
    return f"invoke(getattr(found({module.name!r}), {name!r}))"

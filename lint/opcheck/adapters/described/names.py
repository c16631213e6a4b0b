"""The names of ops and backends, from the values that stand for them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from opcheck_rules.model.condition import Condition

from ...symbolic.containers import known_items
from ...symbolic.frame import Frame
from ...symbolic.scope import alternatives, narrow
from ...symbolic.values import (
    BoundMethod,
    ClassValue,
    DictValue,
    EnumMember,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Value,
    is_tuple,
)
from .description import Description
from .records import Name

_NAMED_BY: Final = ("name", "_name", "__name__", "op", "op_name", "key")


def op_names(frame: Frame, value: Value) -> Iterator[tuple[Condition, Name]]:
    """The op, or each op, that a value names: by text, or by what it is about (a class, a function)."""
    for condition, item in _each(frame, value):
        yield condition, op_name(frame, item)


def op_name(frame: Frame, value: Value) -> Name:
    """The op that one value names."""
    text = frame.machine.describe(value)
    match value:
        case str():
            return Name(value, value)
        case EnumMember(value=str(inner), is_mixed=True):
            return Name(inner, inner)
        case EnumMember(name=name):
            return Name(text, name)
        case ClassValue() | FunctionValue() | External() | BoundMethod():
            return Name(text, text.rpartition(".")[2])
        case Instance():
            return object_name(frame, value)
        case _:
            return Name(None, text=text)


def object_name(frame: Frame, value: Value) -> Name:
    """The op that an object stands for, which functions are registered with: its own name, or what holds it."""
    if isinstance(value, (FunctionValue, ClassValue)):
        return op_name(frame, value)
    if isinstance(value, Instance):
        for attribute in _NAMED_BY:
            own = narrow(value.scope.names[attribute], frame.path) if attribute in value.scope.names else None
            if isinstance(own, str):
                return Name(own, own)
    holders = [(m.name, m.namespace.names.found()) for m in frame.machine.met.values()]
    held = next(((module, n) for module, names in holders for n, v in names if v is value), None)
    return Name(".".join(held), held[1]) if held is not None else Name(None, text=frame.machine.describe(value))


def backend_names(frame: Frame, value: Value, description: Description) -> Iterator[tuple[Condition, Name]]:
    """The backend, or each backend, that a value names."""
    for condition, item in _each(frame, value):
        text = item if isinstance(item, str) else frame.machine.describe(item)
        if text in description.values:
            yield from ((condition, Name(backend, backend)) for backend in description.values[text])
        else:
            yield condition, backend_name(frame, item, description.backends)


def backend_name(frame: Frame, value: Value, known: Collection[str]) -> Name:
    """The backend that one value names; of what is no text, a part that is one of those known."""
    text = frame.machine.describe(value)
    match value:
        case str():
            return Name(value, value)
        case EnumMember(name=name, value=inner):
            spelt: list[str] = [part for part in (inner, name, name.lower()) if isinstance(part, str)]
        case External() | ClassValue():
            spelt = [part.lower() for part in reversed(text.split("."))]
        case _:
            spelt = []
    found = next((part for part in spelt if part in known), None)
    return Name(found, found) if found is not None else Name(None, text=text)


def _each(frame: Frame, value: Value) -> Iterator[tuple[Condition, Value]]:
    """A value by itself, or each item of one that holds several, in each world."""
    for condition, item in alternatives(value, frame.path):
        if isinstance(item, (ListValue, DictValue)) or is_tuple(item):
            items, is_complete = known_items(frame, item)
            if is_complete:
                for there, inner in items:
                    yield from ((condition & there & c, v) for c, v in alternatives(inner, condition & there))
                continue
        yield condition, item

"""The items and methods of dictionaries. What is stored holds under the condition of the statement that stores it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Final

from .containers import known_items
from .frame import Frame
from .limits import MOST_ROUNDS
from .scope import Scope, covered, join, narrow
from .values import Arguments, Choice, DictValue, Intrinsic, ListValue, Unknown, Value, is_tuple


def dict_method(target: DictValue, name: str) -> Value:
    """A method of a dictionary."""
    method = _METHODS.get(name)
    if method is None:
        return Unknown(f"dict.{name}")
    return Intrinsic(f"dict.{name}", lambda frame, arguments: method(frame, target, arguments))


def store(frame: Frame, target: DictValue, key: Value, value: Value, node: ast.expr | None = None) -> None:
    """`target[key] = value` under the present condition, as `node` says it."""
    if frame.machine.watcher is not None:
        frame.machine.watcher.stored(frame, target, key, value, node)
    hashable = frame.machine.hashable(key)
    if (hashable is None and key is not None) or len(target.items) >= MOST_ROUNDS:
        target.is_open = True
        return
    cell = Scope(frame.machine.space.true, "dict")
    if hashable in target.items:
        cell.names["value"] = target.items[hashable]
    cell.bind("value", value, frame.path)
    target.items[hashable] = cell.names["value"]


def remove(frame: Frame, target: DictValue, key: Value) -> None:
    """`del target[key]` under the present condition."""
    hashable = frame.machine.hashable(key)
    if hashable not in target.items:
        return
    old = target.items[hashable]
    pairs = old.alternatives if isinstance(old, Choice) else ((frame.machine.space.true, old),)
    left = [(c & ~frame.path, v) for c, v in pairs if not (c & ~frame.path).fails]
    if left:
        target.items[hashable] = join(left, lambda: "dict")
    else:
        del target.items[hashable]


def copy(frame: Frame, value: Value) -> DictValue:
    """`dict(value)` of a dictionary, or of pairs."""
    if isinstance(value, DictValue):
        return DictValue(dict(value.items), value.is_open)
    made = DictValue({})
    pairs, is_complete = known_items(frame, narrow(value, frame.path))
    made.is_open = not is_complete
    before = frame.path
    for condition, pair in pairs:
        frame.path = before & condition
        if is_tuple(pair) and len(pair) == 2:
            store(frame, made, *pair)
        else:
            made.is_open = True
    frame.path = before
    return made


def _items(frame: Frame, target: DictValue, _: Arguments) -> Value:
    always = frame.machine.space.true
    return ListValue([(covered(v, always), (k, v)) for k, v in target.items.items()], is_open=target.is_open)


def _keys(frame: Frame, target: DictValue, _: Arguments) -> Value:
    always = frame.machine.space.true
    return ListValue([(covered(v, always), k) for k, v in target.items.items()], is_open=target.is_open)


def _values(frame: Frame, target: DictValue, _: Arguments) -> Value:
    always = frame.machine.space.true
    return ListValue([(covered(v, always), v) for v in target.items.values()], is_open=target.is_open)


def _get(frame: Frame, target: DictValue, arguments: Arguments) -> Value:
    """`get(key, default)`: the default where the key is not there, in the worlds where it is not."""
    given, default = arguments.get(0, "key"), arguments.get(1, "default")
    key = frame.machine.hashable(given)
    if (key is None and given is not None) or (key not in target.items and target.is_open):
        return Unknown(f"dict.get({frame.machine.describe(given)})")
    if key not in target.items:
        return default
    found = target.items[key]
    present = covered(found, frame.machine.space.true)
    return narrow(join([(~present, default), (present, found)], lambda: "dict.get"), frame.path)


def _update(frame: Frame, target: DictValue, arguments: Arguments) -> Value:
    for value in arguments.positional:
        _merge(frame, target, copy(frame, value))
    for name, item in arguments.keywords.items():
        store(frame, target, name, item)
    return None


def _merge(frame: Frame, target: DictValue, other: DictValue) -> None:
    target.is_open |= other.is_open
    before = frame.path
    for key, item in other.items.items():
        frame.path = before & covered(item, before)
        store(frame, target, key, item)
    frame.path = before


def _set_default(frame: Frame, target: DictValue, arguments: Arguments) -> Value:
    key, before = frame.machine.hashable(arguments.get(0, "key")), frame.path
    frame.path = before & ~frame.machine.has_key(target.items, key)
    if key is not None and not frame.path.fails:
        store(frame, target, key, arguments.get(1, "default"))
    frame.path = before
    return _get(frame, target, arguments)


def _pop(frame: Frame, target: DictValue, arguments: Arguments) -> Value:
    found = _get(frame, target, arguments)
    remove(frame, target, arguments.get(0, "key"))
    return found


def _copy(frame: Frame, target: DictValue, _: Arguments) -> Value:
    return copy(frame, target)


_METHODS: Final[Mapping[str, Callable[[Frame, DictValue, Arguments], Value]]] = {
    "items": _items,
    "keys": _keys,
    "values": _values,
    "get": _get,
    "update": _update,
    "setdefault": _set_default,
    "pop": _pop,
    "copy": _copy,
}

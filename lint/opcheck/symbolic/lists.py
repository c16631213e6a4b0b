"""The methods of lists and sets. What they add is there under the condition of the statement that adds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from .containers import iterate
from .frame import Frame
from .limits import MOST_ROUNDS
from .values import Arguments, Intrinsic, Items, ListValue, Unknown, Value, is_scalar


def list_method(target: ListValue, name: str) -> Value:
    """A method of a list or set."""
    method = _METHODS.get(name)
    if method is None:
        return Unknown(f"{target.kind}.{name}")
    return Intrinsic(f"{target.kind}.{name}", lambda frame, arguments: method(frame, target, arguments))


def extend(frame: Frame, target: ListValue, value: Value) -> None:
    """Add the items of `value` under the present condition."""
    items = iterate(frame, value)
    if items is None or len(target.items) + len(items) > MOST_ROUNDS:
        target.is_open = True
    else:
        _add(frame, target, len(target.items), [(frame.path & c, v) for c, v in items])


def _add(frame: Frame, target: ListValue, place: int, items: Items) -> None:
    """Add items; where the loop they are added in may go round more often than was seen, there may be more of them."""
    target.items[place:place] = items
    target.is_open |= frame.in_open_loop


def _append(frame: Frame, target: ListValue, arguments: Arguments) -> Value:
    if len(target.items) < MOST_ROUNDS:
        _add(frame, target, len(target.items), [(frame.path, arguments.get(0, "object"))])
    else:
        target.is_open = True
    return None


def _extend(frame: Frame, target: ListValue, arguments: Arguments) -> Value:
    for value in arguments.positional:
        extend(frame, target, value)
    return None


def _insert(frame: Frame, target: ListValue, arguments: Arguments) -> Value:
    position = arguments.get(0, "index")
    if not isinstance(position, int) or len(target.items) >= MOST_ROUNDS:
        target.is_open = True
    else:
        _add(frame, target, position, [(frame.path, arguments.get(1, "object"))])
    return None


def _remove(frame: Frame, target: ListValue, arguments: Arguments) -> Value:
    """Taking out what is known leaves it elsewhere; taking out what is not leaves the whole list undecided."""
    item = arguments.get(0, "value")
    if not is_scalar(item):
        target.is_open = True
        return None
    _keep(target, [(c & ~frame.path if v == item and type(v) is type(item) else c, v) for c, v in target.items])
    return None


def _clear(frame: Frame, target: ListValue, _: Arguments) -> Value:
    _keep(target, [(c & ~frame.path, v) for c, v in target.items])
    return None


def _keep(target: ListValue, items: Items) -> None:
    target.items[:] = [(c, v) for c, v in items if not c.fails]


def _copy(_: Frame, target: ListValue, __: Arguments) -> Value:
    return ListValue(list(target.items), target.kind, target.is_open)


def _pop(_: Frame, target: ListValue, __: Arguments) -> Value:
    target.is_open = True
    return Unknown(f"{target.kind}.pop()")


def _union(frame: Frame, target: ListValue, arguments: Arguments) -> Value:
    joined = ListValue(list(target.items), target.kind, target.is_open)
    _extend(frame, joined, arguments)
    return joined


_METHODS: Final[Mapping[str, Callable[[Frame, ListValue, Arguments], Value]]] = {
    "append": _append,
    "add": _append,
    "extend": _extend,
    "update": _extend,
    "insert": _insert,
    "remove": _remove,
    "discard": _remove,
    "clear": _clear,
    "copy": _copy,
    "pop": _pop,
    "union": _union,
}

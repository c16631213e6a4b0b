"""Strings, tuples, lists, sets and dictionaries: their items, subscripts and methods, within bounds."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from opcheck_rules.model.condition import Condition

from .frame import Frame
from .limits import MOST_BITS, MOST_ROUNDS, MOST_TEXT
from .scope import Scope, alternatives, covered, narrow
from .values import (
    SCALARS,
    Arguments,
    ClassValue,
    DictValue,
    EnumMember,
    External,
    Handle,
    Intrinsic,
    ListValue,
    Unknown,
    Value,
)

Items = list[tuple[Condition, Value]]


def compute(act: Callable[[], Any], undecided: Callable[[], Value], *operands: Any) -> Value:
    """The result of a pure Python operation on scalars; undecided where it raises, or would be too large."""
    if operands and _too_large(*operands):
        return undecided()
    try:
        result = act()
    except (ArithmeticError, AttributeError, IndexError, KeyError, LookupError, TypeError, ValueError):
        return undecided()
    return result if _is_value(result) else undecided()


def _too_large(left: Any, right: Any, op: ast.operator) -> bool:
    if isinstance(op, ast.Mult):
        sizes = [len(v) if isinstance(v, (str, bytes, tuple)) else 1 for v in (left, right)]
        counts = [v if isinstance(v, int) else 1 for v in (left, right)]
        return max(sizes) * max(*counts, 1) > MOST_TEXT
    if isinstance(op, (ast.Pow, ast.LShift)) and isinstance(left, int) and isinstance(right, int):
        return max(right, 1) * (max(left.bit_length(), 1) if isinstance(op, ast.Pow) else 1) > MOST_BITS
    return isinstance(op, ast.Mod) and isinstance(left, (str, bytes)) and len(left) > MOST_TEXT


def _is_value(result: object) -> bool:
    if isinstance(result, tuple):
        return len(result) <= MOST_ROUNDS and all(map(_is_value, result))
    if isinstance(result, (str, bytes)):
        return len(result) <= MOST_TEXT
    return isinstance(result, SCALARS)


def iterate(frame: Frame, value: Value) -> Items | None:
    """The items a loop over `value` meets, each with the condition it is there under; None where they are not known."""
    always = frame.machine.space.true
    value = narrow(value, frame.path)
    match value:
        case tuple():
            return [(always, v) for v in value]
        case str() if len(value) <= MOST_ROUNDS:
            return [(always, v) for v in value]
        case ListValue(items=items, is_open=False) if len(items) <= MOST_ROUNDS:
            return list(items)
        case DictValue(items=entries, is_open=False):
            return [(covered(v, always), key) for key, v in entries.items()]
        case ClassValue() if value.derives_from(*ENUMS):
            return [(always, v) for v in value.scope.names.values() if isinstance(v, EnumMember)]
        case _:
            return _guarded_items(frame, value)


def _guarded_items(frame: Frame, value: Value) -> Items | None:
    """The items of each alternative, where every one is known."""
    items: Items = []
    pairs = alternatives(value, frame.path)
    if len(pairs) < 2:
        return None
    for condition, alternative in pairs:
        known = iterate(frame, alternative)
        if known is None:
            return None
        items += [(condition & c, v) for c, v in known]
    return items


ENUMS: Final = ("enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag")


def element(frame: Frame, base: Value, index: Value, undecided: Callable[[], Value]) -> Value:
    """The value of `base[index]` for two unguarded operands."""
    match base:
        case Handle():
            return base.item(frame, index)
        case str() | bytes() | tuple() if isinstance(index, int):
            return compute(lambda: base[index], undecided)
        case ListValue(items=items, is_open=False) if isinstance(index, int) and all(c.holds for c, _ in items):
            return items[index][1] if -len(items) <= index < len(items) else undecided()
        case DictValue(items=entries):
            key = frame.machine.hashable(index)
            known = entries.get(key) if key is not None or index is None else None
            return narrow(known, frame.path) if known is not None else undecided()
        case ClassValue() if isinstance(index, str) and base.derives_from(*ENUMS):
            return base.scope.names.get(index) or undecided()
        case ClassValue():
            return base
        case External() | Unknown() if isinstance(index, SCALARS):
            return frame.machine.external_item(frame, base, index)
        case _:
            return undecided()


def slice_of(base: Value, bounds: list[Value], undecided: Callable[[], Value]) -> Value:
    """The value of `base[a:b:c]` for unguarded operands."""
    known = [b for b in bounds if b is None or isinstance(b, int)]
    if len(known) < len(bounds):
        return undecided()
    cut = slice(*known)
    if isinstance(base, (str, bytes, tuple)):
        return compute(lambda: base[cut], undecided)
    if isinstance(base, ListValue) and not base.is_open and all(c.holds for c, _ in base.items):
        return ListValue(base.items[cut], base.kind)
    if isinstance(base, Handle):
        return base
    return undecided()


_STRING_METHODS: Final = frozenset(
    [
        "capitalize",
        "casefold",
        "count",
        "endswith",
        "find",
        "format",
        "index",
        "isalnum",
        "isalpha",
        "isdigit",
        "isidentifier",
        "islower",
        "isupper",
        "join",
        "lower",
        "lstrip",
        "partition",
        "removeprefix",
        "removesuffix",
        "replace",
        "rfind",
        "rindex",
        "rpartition",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "upper",
        "zfill",
    ]
)


def string_method(text: str, name: str) -> Value:
    """A method of a known string, where it is one that only depends on its arguments."""
    if name not in _STRING_METHODS:
        return Unknown(f"{text!r}.{name}")

    def call(frame: Frame, arguments: Arguments) -> Value:
        given = [_plain_items(frame, v) for v in arguments.positional]
        named = {k: _plain_items(frame, v) for k, v in arguments.keywords.items()}

        def undecided() -> Value:
            shown = ", ".join(map(frame.machine.describe, arguments.positional))
            return Unknown(f"{text!r}.{name}({shown})")

        if arguments.is_open or Ellipsis in given or (name == "replace" and len(text) > MOST_TEXT // 100):
            return undecided()
        result = compute(lambda: _as_tuple(getattr(text, name)(*given, **named)), undecided)
        always = frame.machine.space.true
        return ListValue([(always, v) for v in result]) if name in _LISTS and isinstance(result, tuple) else result

    return Intrinsic(f"{text!r}.{name}", call)


_LISTS: Final = frozenset({"split", "rsplit", "splitlines"})


def _as_tuple(result: Any) -> Any:
    return tuple(result) if isinstance(result, list) else result


def _plain_items(frame: Frame, value: Value) -> Any:
    """An argument as Python has it; Ellipsis for one that is not known."""
    if isinstance(value, SCALARS):
        return value
    items = iterate(frame, value)
    if items is None or not all(c.holds and isinstance(v, SCALARS) for c, v in items):
        return Ellipsis
    return tuple(v for _, v in items)


def list_method(target: ListValue, name: str) -> Value:
    """A method of a list or set. What it adds is there under the condition of the statement that adds it."""
    method = _LIST_METHODS.get(name)
    if method is None:
        return Unknown(f"list.{name}")
    return Intrinsic(f"{target.kind}.{name}", lambda frame, arguments: method(frame, target, arguments))


def _append(frame: Frame, target: ListValue, arguments: Arguments) -> Value:
    if len(target.items) < MOST_ROUNDS:
        target.items.append((frame.path, arguments.get(0, "object")))
    else:
        target.is_open = True
    return None


def _extend(frame: Frame, target: ListValue, arguments: Arguments) -> Value:
    for value in arguments.positional:
        items = iterate(frame, value)
        if items is None or len(target.items) + len(items) > MOST_ROUNDS:
            target.is_open = True
        else:
            target.items += [(frame.path & c, v) for c, v in items]
    return None


def _insert(frame: Frame, target: ListValue, arguments: Arguments) -> Value:
    position = arguments.get(0, "index")
    place = position if isinstance(position, int) else len(target.items)
    target.items.insert(place, (frame.path, arguments.get(1, "object")))
    return None


def _remove(frame: Frame, target: ListValue, arguments: Arguments) -> Value:
    """Taking out what is known leaves it elsewhere; taking out what is not leaves the whole list undecided."""
    item = arguments.get(0, "value")
    if not isinstance(item, SCALARS):
        target.is_open = True
        return None
    kept = [(c & ~frame.path if v == item and type(v) is type(item) else c, v) for c, v in target.items]
    target.items[:] = [(c, v) for c, v in kept if not c.fails]
    return None


def _clear(frame: Frame, target: ListValue, _: Arguments) -> Value:
    kept = [(c & ~frame.path, v) for c, v in target.items]
    target.items[:] = [(c, v) for c, v in kept if not c.fails]
    return None


def _copy(_: Frame, target: ListValue, __: Arguments) -> Value:
    return ListValue(list(target.items), target.kind, target.is_open)


def _pop(_: Frame, target: ListValue, __: Arguments) -> Value:
    target.is_open = True
    return Unknown("list.pop()")


def _union(frame: Frame, target: ListValue, arguments: Arguments) -> Value:
    joined = ListValue(list(target.items), target.kind, target.is_open)
    _extend(frame, joined, arguments)
    return joined


_LIST_METHODS: Final[dict[str, Callable[[Frame, ListValue, Arguments], Value]]] = {
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


def dict_method(target: DictValue, name: str) -> Value:
    """A method of a dictionary."""
    method = _DICT_METHODS.get(name)
    if method is None:
        return Unknown(f"dict.{name}")
    return Intrinsic(f"dict.{name}", lambda frame, arguments: method(frame, target, arguments))


def store(frame: Frame, target: DictValue, key: Value, value: Value) -> None:
    """`target[key] = value` under the present condition."""
    hashable = frame.machine.hashable(key)
    if (hashable is None and key is not None) or len(target.items) >= MOST_ROUNDS:
        target.is_open = True
        return
    cell = Scope(
        frame.machine.space.true, "dict", names={"value": target.items[hashable]} if hashable in target.items else {}
    )
    cell.bind("value", value, frame.path)
    target.items[hashable] = cell.names["value"]


def _items(frame: Frame, target: DictValue, _: Arguments) -> Value:
    always = frame.machine.space.true
    pairs: Items = [(covered(v, always), (k, v)) for k, v in target.items.items()]
    return ListValue(pairs, is_open=target.is_open)


def _keys(frame: Frame, target: DictValue, _: Arguments) -> Value:
    always = frame.machine.space.true
    return ListValue([(covered(v, always), k) for k, v in target.items.items()], is_open=target.is_open)


def _values(frame: Frame, target: DictValue, _: Arguments) -> Value:
    always = frame.machine.space.true
    return ListValue([(covered(v, always), v) for v in target.items.values()], is_open=target.is_open)


def _get(frame: Frame, target: DictValue, arguments: Arguments) -> Value:
    key = frame.machine.hashable(arguments.get(0, "key"))
    if key in target.items and (key is not None or arguments.get(0, "key") is None):
        return narrow(target.items[key], frame.path)
    if target.is_open or (key is None and arguments.get(0, "key") is not None):
        return Unknown(f"dict.get({frame.machine.describe(arguments.get(0, 'key'))})")
    return arguments.get(1, "default")


def _update(frame: Frame, target: DictValue, arguments: Arguments) -> Value:
    for value in arguments.positional:
        if isinstance(value, DictValue):
            target.is_open |= value.is_open
            for key, item in value.items.items():
                store(frame, target, key, item)
        else:
            target.is_open = True
    for name, item in arguments.keywords.items():
        store(frame, target, name, item)
    return None


def _set_default(frame: Frame, target: DictValue, arguments: Arguments) -> Value:
    key = frame.machine.hashable(arguments.get(0, "key"))
    if key is not None and key not in target.items:
        store(frame, target, key, arguments.get(1, "default"))
    return _get(frame, target, arguments)


def _dict_pop(_: Frame, target: DictValue, arguments: Arguments) -> Value:
    target.is_open = True
    return Unknown(f"dict.pop({len(arguments.positional)})")


def _dict_copy(_: Frame, target: DictValue, __: Arguments) -> Value:
    return DictValue(dict(target.items), target.is_open)


_DICT_METHODS: Final[dict[str, Callable[[Frame, DictValue, Arguments], Value]]] = {
    "items": _items,
    "keys": _keys,
    "values": _values,
    "get": _get,
    "update": _update,
    "setdefault": _set_default,
    "pop": _dict_pop,
    "copy": _dict_copy,
}

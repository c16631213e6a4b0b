"""What the containers have in common: their items, and what a subscript picks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from .computed import compute
from .frame import Frame
from .limits import MOST_ROUNDS
from .scope import alternatives, covered, narrow
from .values import (
    Arguments,
    ClassValue,
    DictValue,
    EnumMember,
    External,
    Handle,
    Items,
    ListValue,
    Unknown,
    Value,
    is_scalar,
    is_tuple,
)

ENUMS: Final = ("enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag")


def iterate(frame: Frame, value: Value) -> Items | None:
    """The items a loop over `value` meets, each with the condition it is there under; None where they are not known."""
    value = narrow(value, frame.path)
    items, is_complete = known_items(frame, value)
    return items if is_complete and len(items) <= MOST_ROUNDS else None


def known_items(frame: Frame, value: Value) -> tuple[Items, bool]:
    """The items of `value` that were seen, and whether those are all."""
    always = frame.machine.space.true
    match value:
        case str():
            return [(always, v) for v in value[: MOST_ROUNDS + 1]], True
        case ListValue(items=items, is_open=is_open):
            return list(items), not is_open
        case DictValue(items=entries, is_open=is_open):
            return [(covered(v, always), key) for key, v in entries.items()], not is_open
        case ClassValue() if value.derives_from(*ENUMS):
            return [(always, v) for v in value.scope.names.values() if isinstance(v, EnumMember)], True
        case Handle():
            found = value.items(frame)
            return found or [], found is not None
        case _ if is_tuple(value):
            return [(always, v) for v in value], True
        case _:
            return _guarded_items(frame, value)


def _guarded_items(frame: Frame, value: Value) -> tuple[Items, bool]:
    """The items of each alternative."""
    items: Items = []
    is_complete = True
    pairs = alternatives(value, frame.path)
    if len(pairs) < 2:
        return [], False
    for condition, alternative in pairs:
        known, is_whole = known_items(frame, alternative)
        items += [(condition & c, v) for c, v in known]
        is_complete &= is_whole
    return items, is_complete


def element(frame: Frame, base: Value, index: Value, undecided: Callable[[], Value]) -> Value:
    """The value of `base[index]` for two unguarded operands."""
    match base:
        case Handle():
            return base.item(frame, index)
        case str() | bytes() if isinstance(index, int):
            return compute(lambda: base[index], undecided)
        case ListValue(items=items, is_open=False) if isinstance(index, int) and all(c.holds for c, _ in items):
            return items[index][1] if -len(items) <= index < len(items) else undecided()
        case DictValue(items=entries):
            key = frame.machine.hashable(index)
            if base.default is not None and key is not None and key not in entries:
                return _made(frame, base, key)
            known = entries.get(key) if key is not None or index is None else None
            return narrow(known, frame.path) if known is not None else undecided()
        case ClassValue() if isinstance(index, str) and base.derives_from(*ENUMS):
            return base.scope.names.get(index) or undecided()
        case ClassValue():
            return base
        case External() | Unknown() if is_scalar(index):
            return frame.machine.external_item(frame, base, index)
        case _ if is_tuple(base) and isinstance(index, int):
            return base[index] if -len(base) <= index < len(base) else undecided()
        case _:
            return undecided()


def _made(frame: Frame, base: DictValue, key: Value) -> Value:
    """What a dictionary makes for a key that it does not have, and has from then on wherever it is asked for it."""
    made = frame.machine.call(frame, base.default, Arguments([], {}, ast.Pass(lineno=1, col_offset=0)))
    before, frame.path = frame.path, frame.machine.space.true
    frame.machine.store(frame, base, key, made)
    frame.path = before
    return made


def slice_of(frame: Frame, base: Value, bounds: list[Value], undecided: Callable[[], Value]) -> Value:
    """The value of `base[a:b:c]` for unguarded operands."""
    known = [b for b in bounds if b is None or isinstance(b, int)]
    if len(known) < len(bounds):
        return undecided()
    cut = slice(*known)
    match base:
        case str() | bytes():
            return compute(lambda: base[cut], undecided)
        case ListValue(is_open=False) if cut.step != 0 and all(c.holds for c, _ in base.items):
            return ListValue(base.items[cut], base.kind)
        case Handle():
            return base.cut(frame, cut)
        case _ if is_tuple(base):
            return compute(lambda: base[cut], undecided)
        case _:
            return undecided()

"""From values to the conditions under which they are true, and back."""

from __future__ import annotations

from opcheck_rules.model.condition import Condition

from .frame import Frame
from .values import Choice, DictValue, External, ListValue, Unknown, Value, is_scalar, is_tuple


def truth(frame: Frame, value: Value) -> Condition:
    """The condition under which `value` is true."""
    space = frame.machine.space
    match value:
        case Choice():
            return space.any(c & truth(frame, v) for c, v in value.alternatives)
        case Unknown(text=text):
            return space.atom(text)
        case External(path=path):
            return space.true if path in frame.machine.external_modules else space.atom(path)
        case ListValue(items=items, is_open=is_open):
            certain = space.any(c for c, _ in items)
            return certain if not is_open else certain | space.atom(f"{frame.module.name}: more items")
        case DictValue(items=entries, is_open=is_open):
            return space.true if entries or not is_open else space.atom(f"{frame.module.name}: more items")
        case _ if is_scalar(value) or is_tuple(value):
            return space.constant(bool(value))
        case _:
            return space.true


def as_value(condition: Condition) -> Value:
    """A condition as a value that can be stored and tested again."""
    if condition.holds or condition.fails:
        return condition.holds
    return Choice(((~condition, False), (condition, True)))

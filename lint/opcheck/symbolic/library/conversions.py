"""Builtins that turn one scalar into another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from ..computed import compute
from ..frame import Frame
from ..lift import lift
from ..parts import is_small
from ..truth import as_value, truth
from ..values import Arguments, Unknown, Value, is_scalar, is_tuple
from ..versions import RunningVersion, VersionNumber
from .meaning import Meaning, undecided


def _text(kind: Callable[[object], str], name: str, frame: Frame, arguments: Arguments) -> Value:
    """`str(x)` and `repr(x)`: what is not known is written as it is named."""
    if not arguments.positional:
        return ""

    def one(values: list[Value]) -> Value:
        if len(values) > 1:
            return undecided(frame, name, arguments)
        if isinstance(values[0], (RunningVersion, VersionNumber)):
            return values[0]
        if not is_scalar(values[0]):
            return Unknown(frame.machine.describe(values[0]))
        return compute(lambda: kind(values[0]), lambda: undecided(frame, name, arguments))

    return lift(frame, arguments.positional, one)


def _number(kind: Callable[..., Any], name: str, frame: Frame, arguments: Arguments) -> Value:
    def one(values: list[Value]) -> Value:
        if name == "int" and isinstance(values[0], VersionNumber):
            return values[0]
        if arguments.keywords or not all(is_scalar(v) or (is_tuple(v) and is_small(v)) for v in values):
            return undecided(frame, name, Arguments(values, arguments.keywords, arguments.node))
        return compute(lambda: kind(*values), lambda: undecided(frame, name, arguments))

    return lift(frame, arguments.positional, one) if arguments.positional else undecided(frame, name, arguments)


def _bool(frame: Frame, arguments: Arguments) -> Value:
    return as_value(truth(frame, arguments.get(0, "object", False)))


MEANINGS: Final[Mapping[str, Meaning]] = {
    "builtins.str": partial(_text, str, "str"),
    "builtins.repr": partial(_text, repr, "repr"),
    "builtins.int": partial(_number, int, "int"),
    "builtins.float": partial(_number, float, "float"),
    "builtins.abs": partial(_number, abs, "abs"),
    "builtins.min": partial(_number, min, "min"),
    "builtins.max": partial(_number, max, "max"),
    "builtins.bool": _bool,
}

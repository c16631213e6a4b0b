"""The methods of strings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .computed import compute, is_narrow
from .containers import iterate
from .frame import Frame
from .limits import MOST_TEXT
from .values import Arguments, Intrinsic, ListValue, Unknown, Value, is_scalar, is_tuple

_METHODS: Final = frozenset(
    {
        *("capitalize", "casefold", "count", "endswith", "find", "format", "index", "isalnum", "isalpha", "isdigit"),
        *("isidentifier", "islower", "isupper", "join", "lower", "lstrip", "partition", "removeprefix", "removesuffix"),
        *("replace", "rfind", "rindex", "rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip"),
        *("swapcase", "title", "upper", "zfill"),
    }
)
_LISTS: Final = frozenset({"split", "rsplit", "splitlines"})


def string_method(text: str, name: str) -> Value:
    """A method of a known string, where it is one that only depends on its arguments."""
    if name not in _METHODS:
        return Unknown(f"{text!r}.{name}")

    def call(frame: Frame, arguments: Arguments) -> Value:
        return _call(frame, text, name, arguments)

    return Intrinsic(f"{text!r}.{name}", call)


def _call(frame: Frame, text: str, name: str, arguments: Arguments) -> Value:
    given = [_plain(frame, v) for v in arguments.positional]
    named = {k: _plain(frame, v) for k, v in arguments.keywords.items()}

    def undecided() -> Value:
        return Unknown(frame.machine.describe_call(f"{text!r}.{name}", arguments))

    if arguments.is_open or ... in (*given, *named.values()) or not _is_modest(text, name, given, named):
        return undecided()
    method = getattr(text, name)
    if name not in _LISTS:
        return compute(lambda: method(*given, **named), undecided)
    parts = compute(lambda: tuple(method(*given, **named)), undecided)
    return ListValue([(frame.machine.space.true, v) for v in parts]) if is_tuple(parts) else parts


def _is_modest(text: str, name: str, given: list[object], named: Mapping[str, object]) -> bool:
    """Whether the method can be tried without making something huge first."""
    match name:
        case "format":
            return is_narrow(text)
        case "replace":
            return (len(text) + 1) * max((len(v) for v in given if isinstance(v, str)), default=0) <= MOST_TEXT
        case "join":
            return all(len(text) * len(v) <= MOST_TEXT for v in given if is_tuple(v))
        case "zfill":
            return all(isinstance(v, int) and v <= MOST_TEXT for v in given)
        case _:
            return True


def _plain(frame: Frame, value: Value) -> object:
    """An argument as Python has it; Ellipsis for one that is not known."""
    if is_scalar(value):
        return value
    items = iterate(frame, value)
    if items is None or not all(c.holds and is_scalar(v) for c, v in items):
        return ...
    return tuple(v for _, v in items)

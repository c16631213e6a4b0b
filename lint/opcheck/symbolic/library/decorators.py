"""Decorators and makers of callables and classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..containers import known_items
from ..frame import Frame
from ..scope import Scope
from ..values import Arguments, ClassValue, FunctionValue, Intrinsic, Partial, Value, is_tuple
from .meaning import Meaning, undecided


def _partial(frame: Frame, arguments: Arguments) -> Value:
    if not arguments.positional:
        return undecided(frame, "functools.partial", arguments)
    return Partial(arguments.positional[0], tuple(arguments.positional[1:]), arguments.keywords)


def _keep(_: Frame, arguments: Arguments) -> Value:
    """A decorator that gives its function back, called with it or with options first."""
    if arguments.positional and isinstance(arguments.positional[0], (FunctionValue, ClassValue)):
        return arguments.positional[0]
    return Intrinsic("decorator", _keep)


def _wraps(_: Frame, arguments: Arguments) -> Value:
    wrapped = arguments.get(0, "wrapped")

    def decorate(_: Frame, inner: Arguments) -> Value:
        function = inner.get(0, "wrapper")
        if isinstance(function, FunctionValue) and isinstance(wrapped, FunctionValue):
            function.name = wrapped.name
            function.attributes = {**wrapped.attributes, "__wrapped__": wrapped, **function.attributes}
        return function

    return Intrinsic("functools.wraps(...)", decorate)


def _nothing(_: Frame, __: Arguments) -> Value:
    return None


def _cast(_: Frame, arguments: Arguments) -> Value:
    return arguments.get(1, "val")


def _named_tuple(frame: Frame, arguments: Arguments) -> Value:
    """`namedtuple("Spec", "a b")`: a class whose fields are filled in order."""
    name, fields = arguments.get(0, "typename"), _field_names(frame, arguments.get(1, "field_names"))
    if not isinstance(name, str) or not fields:
        return undecided(frame, "collections.namedtuple", arguments)
    scope = Scope(frame.path, name, is_class=True)
    return ClassValue(name, f"{frame.module.name}.{name}", frame.module, (), scope, fields)


def _field_names(frame: Frame, names: Value) -> tuple[str, ...]:
    """The fields of a named tuple: a text, names, or (name, type) pairs; none where one of them is not known."""
    if isinstance(names, str):
        return tuple(names.replace(",", " ").split())
    items, is_complete = known_items(frame, names)
    fields = [v[0] if is_tuple(v) and v else v for _, v in items]
    texts = tuple(f for f in fields if isinstance(f, str))
    return texts if is_complete and len(texts) == len(fields) else ()


MEANINGS: Final[Mapping[str, Meaning]] = {
    "builtins.print": _nothing,
    "builtins.property": _keep,
    "builtins.staticmethod": _keep,
    "builtins.classmethod": _keep,
    "functools.cached_property": _keep,
    "functools.partial": _partial,
    "functools.wraps": _wraps,
    "functools.lru_cache": _keep,
    "functools.cache": _keep,
    "functools.singledispatch": _keep,
    "contextlib.contextmanager": _keep,
    "dataclasses.dataclass": _keep,
    "collections.namedtuple": _named_tuple,
    "typing.NamedTuple": _named_tuple,
    "typing.cast": _cast,
    "warnings.warn": _nothing,
}

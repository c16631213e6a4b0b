"""`def` and `class` statements, with their decorators."""

from __future__ import annotations

import ast
from typing import Final

from .assignment import assign_name
from .classes import make_class
from .frame import Frame
from .functions import Definition, make_function
from .scope import narrow
from .values import Arguments, External, FunctionValue, Unknown, Value

_KINDS: Final = {
    "property": "property",
    "functools.cached_property": "property",
    "staticmethod": "staticmethod",
    "classmethod": "classmethod",
}


def define_function(frame: Frame, node: Definition) -> None:
    """`def`."""
    assign_name(frame, node.name, function_value(frame, node))


def function_value(frame: Frame, node: Definition) -> Value:
    """The function that a definition makes, as its decorators leave it."""
    value: Value = make_function(frame, node, node.name)
    for decorator in reversed(node.decorator_list):
        value = _decorate(frame, decorator, value)
    return value


def define_class(frame: Frame, node: ast.ClassDef) -> None:
    """`class`."""
    assign_name(frame, node.name, class_value(frame, node))


def class_value(frame: Frame, node: ast.ClassDef) -> Value:
    """The class that a definition makes, as its decorators leave it."""
    value: Value = make_class(frame, node)
    for decorator in reversed(node.decorator_list):
        value = _apply(frame, decorator, narrow(frame.evaluate(decorator), frame.path), value)
    return value


def _decorate(frame: Frame, node: ast.expr, value: Value) -> Value:
    """Apply one decorator of a function: some say what kind of method it is."""
    decorator = narrow(frame.evaluate(node), frame.path)
    kind = _KINDS.get(frame.machine.describe(decorator))
    if isinstance(value, FunctionValue) and kind is not None:
        value.kind = kind
        return value
    if isinstance(value, FunctionValue) and isinstance(node, ast.Attribute) and node.attr in ("setter", "deleter"):
        return frame.evaluate(node.value)
    return _apply(frame, node, decorator, value)


def _apply(frame: Frame, node: ast.expr, decorator: Value, value: Value) -> Value:
    """Call a decorator; one whose meaning is not known is taken to give back what it was given."""
    result = frame.machine.call(frame, decorator, Arguments([value], {}, node))
    return value if isinstance(decorator, (External, Unknown)) or isinstance(result, Unknown) else result

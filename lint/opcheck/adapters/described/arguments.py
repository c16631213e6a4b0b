"""The arguments of a call that a description tells by position or keyword."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from msgspec import Struct

from ...symbolic.classes import class_attribute
from ...symbolic.values import (
    Arguments,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Instance,
    Unknown,
    Value,
)
from .description import Argument


class Given(Struct, frozen=True):
    """An argument and where it is written, the call itself where it is a default."""

    value: Value
    node: ast.expr | ast.stmt
    is_default: bool = False


class Signature(Struct, frozen=True):
    """The parameters of what is called, as far as that is read."""

    names: Sequence[str] = ()
    rest: str | None = None
    function: FunctionValue | None = None

    def place(self, argument: Argument) -> tuple[int | None, str | None]:
        """The position and the keyword of an argument: what a description leaves out, the signature tells."""
        position, keyword = argument.position, argument.keyword
        if position is None and keyword in self.names:
            position = self.names.index(keyword)
        elif keyword is None and position is not None and position < len(self.names):
            keyword = self.names[position]
        return position, keyword

    def given(self, arguments: Arguments, argument: Argument) -> Given | None:
        """An argument of a call; None where it is neither given nor has a default that is read."""
        position, keyword = self.place(argument)
        if position is not None and position < len(arguments.positional):
            many = self.rest is not None and position == len(self.names)
            value = tuple(arguments.positional[position:]) if many else arguments.positional[position]
            return Given(value, arguments.expression(position, keyword or ""))
        if keyword is not None and keyword in arguments.keywords:
            return Given(arguments.keywords[keyword], arguments.expression(None, keyword))
        if arguments.is_open:
            return Given(
                Unknown(f"an argument of {self.function.qualname if self.function else 'a call'}"), arguments.node
            )
        return self._default(keyword, arguments)

    def _default(self, keyword: str | None, arguments: Arguments) -> Given | None:
        function = self.function
        if function is None or keyword is None:
            return None
        if keyword in function.keyword_defaults:
            return Given(function.keyword_defaults[keyword], arguments.node, is_default=True)
        spec = function.node.args
        all_names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
        after = len(all_names) - len(function.defaults)
        if keyword in all_names and all_names.index(keyword) >= after:
            return Given(function.defaults[all_names.index(keyword) - after], arguments.node, is_default=True)
        return None


def signature_of(callee: Value) -> Signature:
    """The parameters of a callable, without the object that a method is called on."""
    match callee:
        case FunctionValue():
            return _signature(callee, 0)
        case BoundMethod(function=function):
            return _signature(function, 1)
        case Instance(cls=cls):
            return _of_method(cls, "__call__")
        case ClassValue():
            return Signature(callee.fields) if callee.fields else _of_method(callee, "__init__")
        case _:
            return Signature()


def _of_method(cls: ClassValue, name: str) -> Signature:
    method = class_attribute(cls, name)
    return _signature(method, 1) if isinstance(method, FunctionValue) else Signature()


def _signature(function: FunctionValue, skipped: int) -> Signature:
    spec = function.node.args
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)][skipped:]
    return Signature(names, spec.vararg.arg if spec.vararg else None, function)

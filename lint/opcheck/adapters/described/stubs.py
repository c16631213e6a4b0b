"""Values that stand for there being no implementation: functions that only raise, and those declared to be such."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from msgspec import Struct

from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Stub

from ...symbolic.classes import class_attribute
from ...symbolic.frame import Frame
from ...symbolic.functions import bind_parameters
from ...symbolic.machine import Machine
from ...symbolic.scope import Scope
from ...symbolic.values import (
    Arguments,
    BoundMethod,
    ClassValue,
    External,
    FunctionValue,
    Instance,
    Partial,
    Unknown,
    Value,
)
from .endings import body_of, final_raise, only_call

_MOST_CALLS = 3


class Refusal(Struct, frozen=True):
    """That a value stands for there being none; `stub` is what says so in its own words, where it is read."""

    stub: Stub | None = None


@dataclass(eq=False)
class Stubs:
    """The stubs of a project, each looked at once."""

    machine: Machine
    _found: dict[tuple[int, int, int], tuple[Value, Refusal | None]] = field(
        default_factory=dict[tuple[int, int, int], tuple[Value, "Refusal | None"]]
    )

    def of(self, value: Value, declared: Collection[str], receiver: Value = None) -> Refusal | None:
        """The value as one that stands for there being none; a method as it is called on `receiver`."""
        key = (id(value), id(receiver), id(declared))
        if key not in self._found:
            given: list[Value] = [] if receiver is None else [receiver]
            # What it was found for is kept: an identity is one's own only for as long as one lives.
            self._found[key] = value, self._refusal(value, declared, Arguments(given, {}, ast.Pass(), is_open=True), 0)
        return self._found[key][1]

    def _refusal(self, value: Value, declared: Collection[str], arguments: Arguments, depth: int) -> Refusal | None:
        match value:
            case None:
                return Refusal()
            case Partial(function=function, positional=positional, keywords=keywords):
                given = Arguments(
                    [*positional, *arguments.positional], {**keywords, **arguments.keywords}, arguments.node
                )
                return self._refusal(function, declared, given, depth)
            case BoundMethod(function=function, receiver=receiver):
                given = Arguments([receiver, *arguments.positional], arguments.keywords, arguments.node)
                return self._refusal(function, declared, given, depth)
            case FunctionValue():
                return self._of_function(value, declared, arguments, depth)
            case External(path=text) | ClassValue(qualname=text) | Unknown(text=text):
                return Refusal() if any(text == path or text.startswith(f"{path}(") for path in declared) else None
            case _:
                return None

    def _of_function(
        self, function: FunctionValue, declared: Collection[str], arguments: Arguments, depth: int
    ) -> Refusal | None:
        statement = final_raise(function.node)
        if statement is not None:
            return Refusal(self._stub(function, statement, arguments))
        if function.qualname in declared:
            return Refusal()
        called = only_call(function)
        if called is None or depth >= _MOST_CALLS:
            return None
        return self._of_call(function, called, declared, arguments, depth)

    def _of_call(
        self, function: FunctionValue, node: ast.Call, declared: Collection[str], arguments: Arguments, depth: int
    ) -> Refusal | None:
        """A function whose whole body is a call: a stub where what it calls is one."""

        def refusal() -> Refusal | None:
            frame = self._frame(function, arguments)
            self._assign(frame, function)
            given = [frame.evaluate(a) for a in node.args if not isinstance(a, ast.Starred)]
            named = {k.arg: frame.evaluate(k.value) for k in node.keywords if k.arg is not None}
            callee = frame.evaluate(node.func)
            # A method that hands on to another one has a body of its own, which an override of that makes good.
            if not isinstance(callee, BoundMethod) or callee.function.name.startswith("_"):
                return self._refusal(callee, declared, Arguments(given, named, node, is_open=True), depth + 1)
            return None

        return self.machine.aside(refusal, None)

    def _stub(self, function: FunctionValue, statement: ast.Raise, arguments: Arguments) -> Stub:
        def raised() -> tuple[str, str]:
            frame = self._frame(function, arguments)
            self._assign(frame, function)
            return self._raised(frame, statement)

        kind, message = self.machine.aside(raised, ("Exception", ""))
        return Stub(function.module.source.span(statement), PredictedError("call", kind, message))

    def _assign(self, frame: Frame, function: FunctionValue) -> None:
        """Run what a body binds at its margin: a message may be made of it."""
        self.machine.execute(frame, [s for s in body_of(function.node) if isinstance(s, (ast.Assign, ast.AnnAssign))])

    def _frame(self, function: FunctionValue, arguments: Arguments) -> Frame:
        """The body of a function, as a call of it would begin."""
        scope = Scope(function.scope.base, function.qualname, function.scope)
        frame = Frame(self.machine, function.module, scope, function.scope.base, function, hypothetical=True)
        frame.runner = function.module.name
        bind_parameters(frame, function, arguments)
        return frame

    def _raised(self, frame: Frame, statement: ast.Raise) -> tuple[str, str]:
        """The class that a statement raises, and its message as far as it is known."""
        exception = statement.exc
        called = exception.func if isinstance(exception, ast.Call) else exception
        kind = frame.evaluate(called) if called is not None else None
        if isinstance(kind, Instance):
            return kind.cls.name, ""
        name = self.machine.describe(kind).partition("(")[0].rpartition(".")[2]
        arguments = exception.args if isinstance(exception, ast.Call) else []
        formats = isinstance(kind, ClassValue) and class_attribute(kind, "__init__") is not None
        return name, "" if formats or len(arguments) != 1 else "".join(_texts(frame, arguments[0]))


def _texts(frame: Frame, node: ast.expr) -> Iterator[str]:
    """The parts of a message, up to the first that is not known."""
    whole = frame.evaluate(node)
    match node:
        case _ if isinstance(whole, str):
            yield whole
        case ast.JoinedStr(values=parts):
            known = takewhile(lambda text: isinstance(text, str), map(frame.evaluate, parts))
            yield from map(str, known)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            yield text.partition("{")[0]
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
            yield text.partition("%")[0]
        case ast.BinOp(left=left, op=ast.Add()):
            yield from _texts(frame, left)
        case _:
            pass

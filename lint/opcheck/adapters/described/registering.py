"""Calls that register: what a description makes of their arguments."""

from __future__ import annotations

import ast
from collections.abc import Generator, Iterator
from contextlib import contextmanager

from msgspec import Struct

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ...symbolic.frame import Frame
from ...symbolic.values import Arguments, BoundMethod, ClassValue, FunctionValue, Value
from .arguments import Given, Signature, signature_of
from .description import Argument, Calls, Description
from .names import backend_names, object_name, op_names
from .records import Name, Supplied

_FUNCTIONS = (FunctionValue, ClassValue, BoundMethod)


class Registering(Struct, frozen=True):
    """One call of what a description says registers."""

    described: Description
    shape: Calls
    callee: Value
    arguments: Arguments

    @property
    def signature(self) -> Signature:
        """The parameters of what is called."""
        return signature_of(self.callee)

    def function(self) -> Given | None:
        """The function that the call registers, None where that is the one it decorates."""
        if self.shape.function is not None:
            given = self.signature.given(self.arguments, self.shape.function)
            return None if given is None or given.is_default else given
        # A decorator without arguments is called with the function itself.
        arguments = [a for a in (self.shape.op, self.shape.backend) if isinstance(a, Argument)]
        is_taken = any(self.signature.place(a)[0] == 0 for a in arguments)
        bare = self.arguments.positional[0] if len(self.arguments.positional) == 1 and not is_taken else None
        return Given(bare, self.arguments.node) if isinstance(bare, _FUNCTIONS) else None

    def register(self, frame: Frame, function: Value) -> None:
        """Put on record that a function is registered, once for each op and backend it may be for."""
        for condition, op, place in self._ops(frame, function):
            with on_path(frame, condition):
                self._supply(frame, op, function, place)

    def _ops(self, frame: Frame, function: Value) -> Iterator[tuple[Condition, Name, Span]]:
        node = self.arguments.node
        if self.shape.op == "function":
            yield frame.path, _named_after(frame, function), definition(function) or frame.span(node)
        elif self.shape.op == "object":
            called = self.callee.receiver if isinstance(self.callee, BoundMethod) else self.callee
            yield frame.path, object_name(frame, called), definition(called) or frame.span(node)
        elif (given := self.signature.given(self.arguments, self.shape.op)) is not None:
            for condition, name in op_names(frame, given.value):
                yield condition, name, frame.span(given.node)

    def _supply(self, frame: Frame, op: Name, function: Value, place: Span) -> None:
        for condition, backend in self._backends(frame):
            with on_path(frame, condition):
                record = Supplied(self.described, op, backend, function, place)
                frame.machine.emit(frame, record, frame.span(self.arguments.node))

    def _backends(self, frame: Frame) -> Iterator[tuple[Condition, Name | None]]:
        """The backends that are named, else the default ones, else every one."""
        given = self.signature.given(self.arguments, self.shape.backend) if self.shape.backend is not None else None
        if given is not None and given.value is not None:
            yield from backend_names(frame, given.value, self.described)
        elif self.shape.default:
            yield from ((frame.path, Name(backend, backend)) for backend in self.shape.default)
        else:
            yield frame.path, None


def _named_after(frame: Frame, function: Value) -> Name:
    inner = function.function if isinstance(function, BoundMethod) else function
    if isinstance(inner, (FunctionValue, ClassValue)):
        return Name(inner.name, inner.name)
    return Name(None, text=frame.machine.describe(function))


def definition(value: Value) -> Span | None:
    """Where a function or class of the project is defined."""
    if isinstance(value, BoundMethod):
        value = value.function
    if not isinstance(value, (FunctionValue, ClassValue)) or value.node is None:
        return None
    if isinstance(value.node, ast.Lambda):
        return value.module.source.span(value.node)
    return value.module.source.signature_span(value.node)


@contextmanager
def on_path(frame: Frame, condition: Condition) -> Generator[None]:
    """Put on record under `condition` what is put on record inside."""
    before, frame.path = frame.path, condition
    yield
    frame.path = frame.unhandled(before)

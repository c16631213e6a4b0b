"""Calls that register: what a description makes of their arguments."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ...symbolic.frame import Frame
from ...symbolic.values import BoundMethod, ClassValue, FunctionValue, Value
from ..emitting import definition, on_path
from .call import Call
from .description import Description
from .names import backend_names, object_name, op_names
from .records import Name, Supplied


class Registering(Struct, frozen=True):
    """One call of what a description says registers."""

    description: Description
    callee: Value
    call: Call

    def register(self, frame: Frame, function: Value) -> None:
        """Put on record that a function is registered, once for each op and backend it may be for."""
        for condition, op, place in self._ops(frame, function):
            with on_path(frame, condition):
                self._supply(frame, op, function, place)

    def _ops(self, frame: Frame, function: Value) -> Iterator[tuple[Condition, Name, Span]]:
        node = self.call.arguments.node
        if self.call.shape.op == "function":
            yield frame.path, _named_after(frame, function), definition(function) or frame.span(node)
        elif self.call.shape.op == "object":
            called = self.callee.receiver if isinstance(self.callee, BoundMethod) else self.callee
            yield frame.path, object_name(frame, called), definition(called) or frame.span(node)
        elif (given := self.call.given(self.call.shape.op)) is not None:
            for condition, name in op_names(frame, given.value):
                yield condition, name, frame.span(given.node)

    def _supply(self, frame: Frame, op: Name, function: Value, place: Span) -> None:
        for condition, backend in self._backends(frame):
            with on_path(frame, condition):
                record = Supplied(self.description, op, backend, function, place)
                frame.machine.emit(frame, record, frame.span(self.call.arguments.node))

    def _backends(self, frame: Frame) -> Iterator[tuple[Condition, Name | None]]:
        """The backends that are named, else the default ones, else every one."""
        named = self.call.value(self.call.shape.backend)
        if named is not None:
            yield from backend_names(frame, named, self.description)
        elif self.call.shape.default:
            yield from ((frame.path, Name(backend, backend)) for backend in self.call.shape.default)
        else:
            yield frame.path, None


def _named_after(frame: Frame, function: Value) -> Name:
    inner = function.function if isinstance(function, BoundMethod) else function
    if isinstance(inner, (FunctionValue, ClassValue)):
        return Name(inner.name, inner.name)
    return Name(None, text=frame.machine.describe(function))

"""Calls that register: what a description makes of their arguments."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ...symbolic.frame import Frame
from ...symbolic.values import Arguments, BoundMethod, ClassValue, FunctionValue, Value
from .arguments import Given, Signature, signature_of
from .description import Argument, Calls, Description
from .names import backend_names, op_names
from .records import Name, Supplied

Register: TypeAlias = Callable[[Frame, Value], None]
_FUNCTIONS = (FunctionValue, ClassValue, BoundMethod)


def register(
    frame: Frame, callee: Value, arguments: Arguments, described: Description, shape: Calls
) -> Register | None:
    """Put a registration on record; where its function is still to be decorated, give what does so then."""
    signature = signature_of(callee)

    def act(frame: Frame, function: Value) -> None:
        for condition, op, place in _ops(frame, signature, arguments, shape, function):
            with on_path(frame, condition):
                _supply(frame, signature, arguments, described, shape, op, function, place)

    given = _function(signature, arguments, shape)
    if given is None:
        return act
    act(frame, given.value)
    return None


def _function(signature: Signature, arguments: Arguments, shape: Calls) -> Given | None:
    """The function that a call registers, None where that is the one it decorates."""
    if shape.function is not None:
        given = signature.given(arguments, shape.function)
        return None if given is None or given.is_default else given
    # A decorator without arguments is called with the function itself.
    taken = [signature.place(a)[0] for a in (shape.op, shape.backend) if isinstance(a, Argument)]
    bare = arguments.positional[0] if len(arguments.positional) == 1 and 0 not in taken else None
    return Given(bare, arguments.node) if isinstance(bare, _FUNCTIONS) else None


def _ops(
    frame: Frame, signature: Signature, arguments: Arguments, shape: Calls, function: Value
) -> Iterator[tuple[Condition, Name, Span]]:
    if not isinstance(shape.op, Argument):
        yield frame.path, _named_after(frame, function), definition(function) or frame.span(arguments.node)
        return
    given = signature.given(arguments, shape.op)
    if given is not None:
        for condition, name in op_names(frame, given.value):
            yield condition, name, frame.span(given.node)


def _named_after(frame: Frame, function: Value) -> Name:
    inner = function.function if isinstance(function, BoundMethod) else function
    if isinstance(inner, (FunctionValue, ClassValue)):
        return Name(inner.name, inner.name)
    return Name(None, text=frame.machine.describe(function))


def _supply(
    frame: Frame,
    signature: Signature,
    arguments: Arguments,
    described: Description,
    shape: Calls,
    op: Name,
    function: Value,
    place: Span,
) -> None:
    given = signature.given(arguments, shape.backend) if shape.backend is not None else None
    if given is None or (given.value is None and shape.default is not None):
        given = Given(shape.default, arguments.node)
    span = frame.span(arguments.node)
    if given.value is None:
        frame.machine.emit(frame, Supplied(described, op, None, function, place), span)
        return
    for condition, backend in backend_names(frame, given.value, described.backends):
        with on_path(frame, condition):
            frame.machine.emit(frame, Supplied(described, op, backend, function, place), span)


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

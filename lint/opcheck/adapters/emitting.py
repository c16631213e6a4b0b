"""Putting registrations on record: under which condition, and at which place."""

from __future__ import annotations

import ast
from collections.abc import Generator
from contextlib import contextmanager

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ..symbolic.frame import Frame
from ..symbolic.values import BoundMethod, ClassValue, FunctionValue, Value


@contextmanager
def on_path(frame: Frame, condition: Condition) -> Generator[None]:
    """Put on record under `condition` what is put on record inside."""
    before, frame.path = frame.path, condition
    yield
    frame.path = frame.unhandled(before)


def definition(value: Value) -> Span | None:
    """Where a function or class of the project is defined."""
    if isinstance(value, BoundMethod):
        value = value.function
    if not isinstance(value, (FunctionValue, ClassValue)) or value.node is None:
        return None
    if isinstance(value.node, ast.Lambda):
        return value.module.source.span(value.node)
    return value.module.source.signature_span(value.node)

"""Putting PyTorch's registrations on record, with guarded names and keys spread out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ...symbolic.containers import iterate
from ...symbolic.frame import Frame
from ...symbolic.scope import alternatives
from ...symbolic.values import Arguments, External, Handle, Value
from .keys import EXPLICIT, key_of
from .records import Defined, Filled, Opened
from .schema import Schema, parse_schema

Parameter: TypeAlias = tuple[int | None, str]


class NamedOp(Handle):
    """An object that stands for one op, whose name may be guarded or unknown."""

    name: Value


def names_of(frame: Frame, op: Value) -> Iterator[tuple[Condition, str | None]]:
    """The op that an argument names, by string or by object, in each world; None where it was not read."""
    for condition, value in alternatives(op, frame.path):
        if isinstance(value, NamedOp):
            yield from ((condition & c, n) for c, n in names_of(frame, value.name))
        else:
            yield condition, qualified(value)


def qualified(value: Value) -> str | None:
    """`ns::op` as the table writes it: the default overload is not spelt out."""
    if isinstance(value, External) and value.path.startswith("torch.ops."):
        parts = value.path.removeprefix("torch.ops.").split(".")
        value = f"{parts[0]}::{'.'.join(parts[1:])}" if len(parts) > 1 else None
    if not isinstance(value, str) or "::" not in value:
        return None
    return value.removesuffix(".default")


def namespace_of(op: str | None, value: Value = None) -> str | None:
    """The namespace of an op; of one whose name was not read, as far as a literal beginning tells it."""
    if op is not None:
        return op.partition("::")[0]
    text = getattr(value, "text", "")
    head, found, _ = text.removeprefix("f").lstrip("'\"").partition("::")
    return head if found and head.isidentifier() else None


def define(
    frame: Frame,
    name: Value,
    schema: Value,
    arguments: Arguments,
    *,
    api: str,
) -> None:
    """Put a definition on record, once for each name it may have."""
    place = frame.span(arguments.node)
    devices = arguments.nodes.get("device_types")
    where = frame.span(devices) if devices is not None else place
    for condition, op in names_of(frame, name):
        if frame.hypothetical and op is None:
            continue
        before, frame.path = frame.path, condition
        record = Defined(op, namespace_of(op, name), api, _schema(frame, schema), where)
        frame.machine.emit(frame, record, place)
        frame.path = before


def _schema(frame: Frame, value: Value) -> Schema | None:
    for _, schema in alternatives(value, frame.path):
        if isinstance(schema, str):
            return parse_schema(schema)
    return None


def fill(
    frame: Frame,
    op: Value,
    slot: str,
    function: Value,
    arguments: Arguments,
    *,
    key: str | None = None,
    written: str | None = None,
    key_span: Span | None = None,
    unknown_message: str = "",
) -> None:
    """Put on record that a slot is filled, once for each op it may be of."""
    for condition, name in names_of(frame, op):
        if frame.hypothetical and name is None:
            continue
        before, frame.path = frame.path, condition
        span = frame.span(arguments.node)
        namespace = namespace_of(name, op)
        record = Filled(name, namespace, slot, key, written, function, key_span or span, unknown_message)
        frame.machine.emit(frame, record, span)
        frame.path = before


def fill_kernels(
    frame: Frame, op: Value, devices: Value, function: Value, arguments: Arguments, parameter: Parameter
) -> None:
    """Put a kernel on record for each device or key named; for every backend where none is."""
    node = arguments.expression(*parameter)
    for condition, value, span in _keys(frame, devices, node):
        before, frame.path = frame.path, condition
        key = EXPLICIT if value is None else key_of(value) if isinstance(value, str) else None
        written = value if isinstance(value, str) else None
        unknown = f"at start of device string: {written}"
        fill(frame, op, "kernel", function, arguments, key=key, written=written, key_span=span, unknown_message=unknown)
        frame.path = before


def _keys(frame: Frame, value: Value, node: ast.expr | ast.stmt) -> Iterator[tuple[Condition, Value, Span]]:
    """Each device or key that an argument names, one or a sequence of them, with where it is written."""
    for condition, devices in alternatives(value, frame.path):
        if devices is None or isinstance(devices, str):
            yield condition, devices, frame.span(node)
            continue
        items = iterate(frame, devices)
        spans = _spans(frame, node, len(items or ()))
        if items is None:
            yield condition, devices, frame.span(node)
        for (guard, item), span in zip(items or (), spans, strict=True):
            for inner, key in alternatives(item, condition & guard):
                yield inner, key, span


def _spans(frame: Frame, node: ast.expr | ast.stmt, count: int) -> list[Span]:
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and len(node.elts) == count:
        return [frame.span(element) for element in node.elts]
    return [frame.span(node)] * count


def load(frame: Frame, namespace: str | None, text: str, arguments: Arguments) -> None:
    """Put on record that compiled code is loaded."""
    frame.machine.emit(frame, Opened(namespace, text), frame.span(arguments.node))

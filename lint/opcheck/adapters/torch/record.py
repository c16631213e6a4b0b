"""Putting PyTorch's registrations on record, with guarded names and keys spread out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ...symbolic.containers import iterate
from ...symbolic.frame import Frame
from ...symbolic.scope import alternatives
from ...symbolic.values import Arguments, External, Handle, Intrinsic, Value, is_scalar
from ..described.call import Call, applied
from ..described.description import Calls
from ..emitting import on_path
from .earlier import by_now, handles
from .keys import EXPLICIT, IMPLICIT, META, device_key, key_of, refused_device
from .places import places
from .records import Defined, Filled
from .schema import Schema, parse_schema

Parameter: TypeAlias = tuple[int | None, str]
Meaning: TypeAlias = Callable[[Frame, Arguments], Value]
_REFUSAL: Final = ("RuntimeError", "Exception", "BaseException")


class NamedOp(Handle):
    """An object that stands for one op, whose name may be guarded or unknown."""

    name: Value


@dataclass(eq=False)
class Within(NamedOp):
    """An op of one namespace whose name was not read."""

    namespace: str
    name: Value


class Named(Struct, frozen=True):
    """What was read of an op's name: all of it, or as much as where it lies and what `text` the rest comes from.

    There is no text where what is written can't be the name of an op.
    """

    op: str | None
    namespace: str | None
    text: str = ""


def apply(frame: Frame, arguments: Arguments, parameter: Parameter, act: Meaning) -> Value:
    """Run `act` on the function given, or give the decorator that will."""
    function = arguments.get(*parameter)
    if function is None:
        return Intrinsic("torch.library decorator", act)
    return act(frame, Arguments([function], {}, arguments.node))


def names_of(frame: Frame, op: Value) -> Iterator[tuple[Condition, Named]]:
    """The op that an argument names, by string or by object, in each world."""
    for condition, value in alternatives(op, frame.path):
        name = qualified(value)
        if isinstance(value, Within):
            yield condition, Named(None, value.namespace, frame.machine.describe(value.name))
        elif isinstance(value, NamedOp):
            yield from ((condition & c, n) for c, n in names_of(frame, value.name))
        elif name is not None:
            yield condition, Named(name, name.partition("::")[0])
        else:
            text = "" if is_scalar(value) else frame.machine.describe(value)
            yield condition, Named(None, _namespace_in(text), text)


def qualified(value: Value) -> str | None:
    """`ns::op` as the table writes it: the default overload is not spelt out."""
    if isinstance(value, External) and value.path.startswith("torch.ops."):
        namespace, _, name = value.path.removeprefix("torch.ops.").partition(".")
        value = f"{namespace}::{name}" if name else None
    if not isinstance(value, str) or "::" not in value:
        return None
    return value.removesuffix(".default")


def _namespace_in(text: str) -> str | None:
    """The namespace of an op whose name was not read, as far as a literal beginning tells it."""
    head, found, _ = text.removeprefix("f").lstrip("'\"").partition("::")
    return head if found and head.isidentifier() else None


def define(frame: Frame, name: Value, schema: Value, arguments: Arguments, api: str) -> None:
    """Put a definition on record, once for each name it may have, where the name is written."""
    tagged = _is_tagged(arguments.get(None, "tags"))
    for condition, named in names_of(frame, name):
        if named.op is None and not named.text:
            continue
        with on_path(frame, condition):
            given = _schema(frame, schema, tagged=tagged)
            place, listing = places(frame, arguments, named.op)
            record = Defined(named.op, named.namespace, api, given, listing, named.text)
            frame.machine.emit(frame, record, place)


def _is_tagged(tags: Value) -> bool:
    listed = tags if isinstance(tags, tuple) else (tags,)
    return any(isinstance(t, External) and t.path in ("torch.Tag.inplace", "torch.Tag.out") for t in listed)


def _schema(frame: Frame, value: Value, *, tagged: bool) -> Schema | None:
    texts = (text for _, text in alternatives(value, frame.path) if isinstance(text, str))
    return next((parse_schema(text, tagged=tagged) for text in texts), None)


def fill(frame: Frame, op: Value, filled: Filled, arguments: Arguments) -> None:
    """Put on record that a slot is filled, once for each op it may be of."""
    for condition, named in names_of(frame, op):
        if named.op is None and not named.text:
            continue
        with on_path(frame, condition):
            text = filled.text if named.op is not None else named.text
            record = replace(filled, op=named.op, namespace=named.namespace, text=text)
            _fail_where_refused(frame, record)
            frame.machine.emit(frame, record, frame.span(arguments.node))


def _fail_where_refused(frame: Frame, record: Filled) -> None:
    """A `try` that is ready for it takes what a composite kernel makes of a fake one: an error."""
    is_fake = record.slot == "fake" or record.key == META
    if is_fake and record.op is not None and handles(frame, *_REFUSAL):
        decomposes = by_now(frame, lambda r: isinstance(r, Filled) and r.op == record.op and r.key == IMPLICIT)
        frame.fail(decomposes, *_REFUSAL)


def fill_slot(
    frame: Frame, op: Value, slot: str, function: Value, arguments: Arguments, *, through_op: bool = False
) -> None:
    """Put on record that a slot without a key is filled."""
    filled = Filled(None, None, slot, function, frame.span(arguments.node), through_op=through_op)
    fill(frame, op, filled, arguments)


def fill_kernels(
    frame: Frame,
    op: Value,
    devices: Value,
    function: Value,
    arguments: Arguments,
    parameter: Parameter,
    *,
    through_op: bool = False,
) -> None:
    """Put a kernel on record for each device or key named; for every backend where none is.

    What goes through a custom op's own methods may name devices alone.
    """
    node = arguments.expression(*parameter)
    find = device_key if through_op else key_of
    for condition, value, span in _keys(frame, devices, node):
        written = value if isinstance(value, str) else None
        filled = Filled(
            None,
            None,
            "kernel",
            function,
            span,
            key=EXPLICIT if value is None else find(written) if written is not None else None,
            written=written,
            text=frame.machine.describe(value),
            unknown_message=refused_device(str(written)),
            through_op=through_op,
            by_own_name=through_op,
        )
        with on_path(frame, condition):
            fill(frame, op, filled, arguments)


def registering(slot: str, shape: Calls) -> Meaning:
    """What a call means that fills a slot of the op which it names, as its shape says where everything stands."""

    def register(frame: Frame, arguments: Arguments) -> Value:
        call = Call(shape, arguments)
        return completed(frame, call, slot, call.value(shape.op))

    return register


def completed(frame: Frame, call: Call, slot: str, op: Value, *, through_op: bool = False) -> Value:
    """Fill a slot of an op with the function that a call registers, or give the decorator that will."""
    keys = call.shape.backend

    def act(frame: Frame, function: Value) -> None:
        if keys is None:
            fill_slot(frame, op, slot, function, call.arguments, through_op=through_op)
        else:
            place, named = (keys.position, keys.keyword or ""), call.value(keys)
            devices: Value = named if named is not None else call.shape.default or None
            fill_kernels(frame, op, devices, function, call.arguments, place, through_op=through_op)

    return applied(frame, call, "torch.library decorator", act)


def _keys(frame: Frame, value: Value, node: ast.expr | ast.stmt) -> Iterator[tuple[Condition, Value, Span]]:
    """Each device or key that an argument names, one or a sequence of them, with where it is written."""
    for condition, devices in alternatives(value, frame.path):
        items = None if devices is None or isinstance(devices, str) else iterate(frame, devices)
        if items is None:
            yield condition, devices, frame.span(node)
            continue
        for (guard, item), span in zip(items, _spans(frame, node, len(items)), strict=True):
            for inner, key in alternatives(item, condition & guard):
                yield inner, key, span


def _spans(frame: Frame, node: ast.expr | ast.stmt, count: int) -> list[Span]:
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and len(node.elts) == count:
        return [frame.span(element) for element in node.elts]
    return [frame.span(node)] * count

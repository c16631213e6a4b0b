"""`torch.library` and its companions, as symbolic import meets them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ...symbolic.containers import iterate
from ...symbolic.frame import Frame
from ...symbolic.lift import lift
from ...symbolic.values import Arguments, FunctionValue, Intrinsic, Unknown, Value
from .handles import CustomOp, Library
from .record import define, fill, fill_kernels, load
from .schema import infer_schema

Meaning = Callable[[Frame, Arguments], Value]


def _define(frame: Frame, arguments: Arguments) -> Value:
    """`define(qualname, schema, *, lib=None)`, or the older `define(lib, schema)`."""
    first = arguments.get(0, "qualname")
    if isinstance(first, Library):
        return first.define(frame, Arguments(arguments.positional[1:], arguments.keywords, arguments.node))
    define(frame, first, arguments.get(1, "schema"), arguments, api="define")
    return None


def _custom_op(api: str) -> Meaning:
    def custom_op(frame: Frame, arguments: Arguments) -> Value:
        """`custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None)`."""

        def declare(frame: Frame, inner: Arguments) -> Value:
            function = inner.get(0, "fn")
            schema = arguments.get(None, "schema")
            if schema is None and isinstance(function, FunctionValue):
                schema = infer_schema(function, mutated(frame, arguments))
            define(frame, arguments.get(0, "name"), schema, arguments, api=api)
            devices = arguments.get(None, "device_types")
            fill_kernels(frame, arguments.get(0, "name"), devices, function, arguments, (None, "device_types"))
            if api == "triton_op":
                fill(frame, arguments.get(0, "name"), "fake", function, arguments)
            return CustomOp(arguments.get(0, "name"), function)

        return _apply(frame, arguments, 1, "fn", declare)

    return custom_op


def mutated(frame: Frame, arguments: Arguments) -> frozenset[str] | None:
    """The parameters that `mutates_args` names; None where it says that any may be."""
    value = arguments.get(None, "mutates_args", ())
    items = iterate(frame, value) if not isinstance(value, str) else None
    return frozenset(v for _, v in items if isinstance(v, str)) if items is not None else None


def _apply(frame: Frame, arguments: Arguments, position: int, name: str, act: Meaning) -> Value:
    """Run `act` on the function given, or give the decorator that will."""
    function = arguments.get(position, name)
    if function is None:
        return Intrinsic("torch.library decorator", act)
    return act(frame, Arguments([function], {}, arguments.node))


def _impl(frame: Frame, arguments: Arguments) -> Value:
    """`impl(qualname, types, func=None, *, lib=None)`, or the older `impl(lib, name, dispatch_key="")`."""
    first = arguments.get(0, "qualname")
    if isinstance(first, Library):
        return first.legacy_impl(frame, arguments)
    return _kernels(frame, arguments, "types")


def _register_kernel(frame: Frame, arguments: Arguments) -> Value:
    """`register_kernel(op, device_types, func=None, /)`."""
    return _kernels(frame, arguments, "device_types")


def _kernels(frame: Frame, arguments: Arguments, keys: str) -> Value:
    def register(frame: Frame, inner: Arguments) -> Value:
        function = inner.get(0, "func")
        op, value = arguments.get(0, "qualname", arguments.get(None, "op")), arguments.get(1, keys)
        fill_kernels(frame, op, value, function, arguments, (1, keys))
        return function

    return _apply(frame, arguments, 2, "func", register)


def _slot(slot: str, parameter: str, position: int = 1) -> Meaning:
    """`register_X(op, func=None)`: one function for one slot, given or decorated."""

    def register_slot(frame: Frame, arguments: Arguments) -> Value:
        def register(frame: Frame, inner: Arguments) -> Value:
            op = arguments.get(0, "op", arguments.get(None, "qualname"))
            fill(frame, op, slot, inner.get(0, parameter), arguments)
            return inner.get(0, parameter)

        return _apply(frame, arguments, position, parameter, register)

    return register_slot


def _library(frame: Frame, arguments: Arguments) -> Value:
    """`Library(ns, kind, dispatch_key="")`."""
    key = arguments.get(2, "dispatch_key", "")
    return lift(
        frame,
        [arguments.get(0, "ns"), key],
        lambda v: Library(v[0] if isinstance(v[0], str) else None, v[1] if isinstance(v[1], str) else None),
    )


def _infer_schema(frame: Frame, arguments: Arguments) -> Value:
    """`infer_schema(fn, /, *, mutates_args, op_name=None)`."""
    function, name = arguments.get(0, "prototype_function"), arguments.get(None, "op_name", "")
    if not isinstance(function, FunctionValue) or not isinstance(name, str):
        return Unknown(frame.machine.describe_call("torch.library.infer_schema", arguments))
    return name + infer_schema(function, mutated(frame, arguments))


def _load_library(frame: Frame, arguments: Arguments) -> Value:
    """`torch.ops.load_library(path)`: compiled code, which may define ops anywhere. It may fail to load."""
    text = frame.machine.describe_call("torch.ops.load_library", arguments)
    load(frame, None, text, arguments)
    frame.fail(~frame.machine.space.atom(f"{text} succeeds"), "OSError", "Exception", "BaseException")
    return None


def _has_kernel(frame: Frame, arguments: Arguments) -> Value:
    """Questions to the dispatcher are kept as they are asked: what is registered by then decides them."""
    return Unknown(frame.machine.describe_call("torch._C._dispatch_has_kernel_for_dispatch_key", arguments))


def _keep(_: Frame, arguments: Arguments) -> Value:
    function = arguments.get(0, "fn")
    return function if isinstance(function, FunctionValue) else Intrinsic("decorator", _keep)


_MEANINGS: Final[Mapping[str, Meaning]] = {
    "define": _define,
    "custom_op": _custom_op("custom_op"),
    "triton_op": _custom_op("triton_op"),
    "impl": _impl,
    "register_kernel": _register_kernel,
    "register_fake": _slot("fake", "func"),
    "impl_abstract": _slot("fake", "func"),
    "register_autograd": _slot("derivative", "backward"),
    "register_vmap": _slot("vmap", "func"),
    "Library": _library,
    "_scoped_library": _library,
    "infer_schema": _infer_schema,
}
_OTHER: Final[Mapping[str, Meaning]] = {
    "torch.ops.load_library": _load_library,
    "torch.classes.load_library": _load_library,
    "torch._C._dispatch_has_kernel_for_dispatch_key": _has_kernel,
    "torch._library.infer_schema.infer_schema": _infer_schema,
    "torch._custom_op.impl.infer_schema": _infer_schema,
    "torch._custom_ops.custom_op": _custom_op("custom_op"),
    "torch.no_grad": _keep,
    "torch.inference_mode": _keep,
    "torch.jit.script": _keep,
    "torch.compile": _keep,
    "torch._dynamo.disable": _keep,
    "torch.compiler.disable": _keep,
    "torch.jit.ignore": _keep,
    "torch.jit.unused": _keep,
    "torch.compiler.allow_in_graph": _keep,
    "torch._dynamo.allow_in_graph": _keep,
}


def intrinsics() -> Mapping[str, Intrinsic]:
    """What opcheck gives a meaning to, by dotted path."""
    library = {f"torch.library.{name}": meaning for name, meaning in _MEANINGS.items()}
    homes = {
        "torch._library.custom_ops.custom_op": _MEANINGS["custom_op"],
        "torch._library.triton.triton_op": _MEANINGS["triton_op"],
    }
    return {path: Intrinsic(path, meaning) for path, meaning in {**library, **homes, **_OTHER}.items()}

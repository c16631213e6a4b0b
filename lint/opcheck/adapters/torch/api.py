"""`torch.library` and its companions, as symbolic import meets them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...symbolic.containers import iterate
from ...symbolic.frame import Frame
from ...symbolic.lift import lift
from ...symbolic.values import Arguments, FunctionValue, Intrinsic, Unknown, Value
from ..described.description import Argument, Calls
from ..emitting import on_path
from .custom import CustomOp, silent
from .inferred import infer_schema
from .library import Library
from .questions import defined_namespace, has_kernel
from .record import Meaning, apply, define, fill_kernels, fill_slot, registering
from .records import NamespaceTaken, Opened

_EVERYTHING: Final = ("Exception", "BaseException")


def _define(frame: Frame, arguments: Arguments) -> Value:
    """`define(qualname, schema, *, lib=None)`, or the older `define(lib, schema)` as a decorator."""
    first = arguments.get(0, "qualname")
    if isinstance(first, Library):
        return first.legacy_define(frame, Arguments(arguments.positional[1:], arguments.keywords, arguments.node))
    define(frame, first, arguments.get(1, "schema"), arguments, "define")
    return None


def _custom_op(api: str) -> Meaning:
    def custom_op(frame: Frame, arguments: Arguments) -> Value:
        """`custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None)`."""
        name = arguments.get(0, "name")

        def declare(frame: Frame, inner: Arguments) -> Value:
            function = inner.get(0, "fn")
            define(frame, name, _schema_of(frame, function, arguments), arguments, api)
            devices, parameter = arguments.get(None, "device_types"), (None, "device_types")
            fill_kernels(frame, name, devices, function, arguments, parameter, through_op=True)
            if api == "triton_op":
                fill_slot(frame, name, "fake", function, arguments, through_op=True)
            return CustomOp(name, function)

        return apply(frame, arguments, (1, "fn"), declare)

    return custom_op


def _schema_of(frame: Frame, function: Value, arguments: Arguments) -> Value:
    """The schema that is given, else the one that the annotations make."""
    given = arguments.get(None, "schema", arguments.get(1, "manual_schema"))
    if isinstance(given, str) or not isinstance(function, FunctionValue):
        return given
    mutates = _mutated(frame, arguments)
    return None if isinstance(mutates, Unknown) else infer_schema(function, mutates)


def _mutated(frame: Frame, arguments: Arguments) -> frozenset[str] | Unknown | None:
    """The parameters that `mutates_args` names; None where it says that any may be."""
    value = arguments.get(None, "mutates_args", ())
    if value == "unknown":
        return None
    items = iterate(frame, value) if not isinstance(value, str) else None
    if items is None:
        return Unknown(frame.machine.describe(value))
    return frozenset(v for _, v in items if isinstance(v, str))


def _legacy(frame: Frame, arguments: Arguments) -> Value:
    """`torch._custom_ops.custom_op(qualname, func_or_schema=None)`: a definition, which gives the function back."""
    name, given = arguments.get(0, "qualname"), arguments.get(1, "func_or_schema")

    def declare(frame: Frame, inner: Arguments) -> Value:
        define(frame, name, _schema_of(frame, inner.get(0, "func"), _nothing_mutated(inner)), arguments, "legacy")
        return inner.get(0, "func")

    if isinstance(given, str):
        define(frame, name, given, arguments, "legacy")
        return None
    return apply(frame, arguments, (1, "func_or_schema"), declare)


def _nothing_mutated(arguments: Arguments) -> Arguments:
    return Arguments([], {}, arguments.node)


def _legacy_object(frame: Frame, arguments: Arguments) -> Value:
    """`torch._custom_op.impl.custom_op(qualname, manual_schema=None)`: a definition, with methods to complete it."""
    name = arguments.get(0, "qualname")

    def declare(frame: Frame, inner: Arguments) -> Value:
        function = inner.get(0, "func")
        define(frame, name, _schema_of(frame, function, arguments), arguments, "legacy")
        return CustomOp(name, function)

    return Intrinsic("torch._custom_op.impl.custom_op(...)", declare)


def _impl(frame: Frame, arguments: Arguments) -> Value:
    """`impl(qualname, types, func=None, *, lib=None)`, or the older `impl(lib, name, dispatch_key="")`."""
    first = arguments.get(0, "qualname")
    return first.legacy_impl(frame, arguments) if isinstance(first, Library) else _IMPL(frame, arguments)


def _library(frame: Frame, arguments: Arguments) -> Value:
    """`Library(ns, kind, dispatch_key="")`. A second one of the kind `DEF` for a namespace raises."""
    namespace, kind, key = arguments.get(0, "ns"), arguments.get(1, "kind"), arguments.get(2, "dispatch_key", "")
    if kind == "DEF" and isinstance(namespace, str):
        frame.fail(defined_namespace(frame, namespace), "RuntimeError", *_EVERYTHING)
        frame.machine.emit(frame, NamespaceTaken(namespace), frame.span(arguments.node))
    return lift(frame, [namespace, key], lambda values: Library(values[0], values[1]))


def _infer_schema(frame: Frame, arguments: Arguments) -> Value:
    """`infer_schema(fn, /, *, mutates_args, op_name=None)`."""
    function, name = arguments.get(0, "prototype_function"), arguments.get(None, "op_name", "")
    mutates = _mutated(frame, arguments)
    if not isinstance(function, FunctionValue) or not isinstance(name, str) or isinstance(mutates, Unknown):
        return Unknown(frame.machine.describe_call("torch.library.infer_schema", arguments))
    return name + infer_schema(function, mutates)


def _load_library(frame: Frame, arguments: Arguments) -> Value:
    """`torch.ops.load_library(path)`: compiled code, which may define ops anywhere. It may fail to load.

    Where nothing handles that, the load is taken to succeed, unless a target assumes otherwise.
    """
    text = f"{frame.machine.describe_call('torch.ops.load_library', arguments)} succeeds"
    before, succeeds = frame.path, frame.machine.space.atom(text)
    frame.fail(~succeeds, "OSError", *_EVERYTHING)
    loaded = succeeds if frame.path is not before else frame.machine.space.atom(text, settled=True)
    with on_path(frame, frame.path & loaded):
        frame.machine.emit(frame, Opened(text), frame.span(arguments.node))
    return None


def _keep(_: Frame, arguments: Arguments) -> Value:
    function = arguments.get(0, "fn")
    return function if isinstance(function, FunctionValue) else Intrinsic("decorator", _keep)


_OP, _QUALNAME, _FUNC = Argument(0, "op"), Argument(0, "qualname"), Argument(1, "func")
_KEYWORD: Final = Argument(None, "func")
_IMPL: Final = registering("kernel", Calls((), _QUALNAME, Argument(1, "types"), Argument(2, "func")))
_MEANINGS: Final[Mapping[str, Meaning]] = {
    "define": _define,
    "custom_op": _custom_op("custom_op"),
    "triton_op": _custom_op("triton_op"),
    "impl": _impl,
    "register_kernel": registering("kernel", Calls((), _OP, Argument(1, "device_types"), Argument(2, "func"))),
    "register_fake": registering("fake", Calls((), _OP, function=_FUNC)),
    "impl_abstract": registering("fake", Calls((), _QUALNAME, function=_FUNC)),
    "register_autograd": registering("derivative", Calls((), _OP, function=Argument(1, "backward"))),
    "register_vmap": registering("vmap", Calls((), _OP, function=_FUNC)),
    "register_autocast": silent,
    "register_torch_dispatch": silent,
    "Library": _library,
    "infer_schema": _infer_schema,
}
_LEGACY: Final[Mapping[str, Meaning]] = {
    "custom_op": _legacy,
    "impl": registering(
        "kernel", Calls((), _QUALNAME, Argument(None, "device_types"), _KEYWORD, default=("cpu", "cuda"))
    ),
    "impl_abstract": registering("fake", Calls((), _QUALNAME, function=_KEYWORD)),
    "impl_backward": registering("backward", Calls((), _QUALNAME, function=_KEYWORD)),
    "impl_save_for_backward": registering("save_for_backward", Calls((), _QUALNAME, function=_KEYWORD)),
}
_OTHER: Final[Mapping[str, Meaning]] = {
    # Named here so that it is never looked into, not even where PyTorch's own source is what is read.
    "torch.ops": silent,
    "torch.ops.load_library": _load_library,
    "torch.classes.load_library": _load_library,
    "torch._C._dispatch_has_kernel_for_dispatch_key": has_kernel,
    "torch._library.custom_ops.custom_op": _MEANINGS["custom_op"],
    "torch._library.triton.triton_op": _MEANINGS["triton_op"],
    "torch._library.infer_schema.infer_schema": _infer_schema,
    "torch._custom_op.impl.infer_schema": _infer_schema,
    "torch._custom_op.impl.custom_op": _legacy_object,
}
# What runs a function under other rules, and is that function to whoever registers it.
_WRAPPERS: Final = (
    *("torch.no_grad", "torch.inference_mode", "torch.compile", "torch._dynamo.disable", "torch.compiler.disable"),
    *("torch.jit.script", "torch.jit.ignore", "torch.jit.unused", "torch.compiler.allow_in_graph"),
    "torch._dynamo.allow_in_graph",
)


def intrinsics() -> Mapping[str, Intrinsic]:
    """What opcheck gives a meaning to, by dotted path."""
    meanings = {
        **{f"torch.library.{name}": meaning for name, meaning in _MEANINGS.items()},
        **{f"torch._custom_ops.{name}": meaning for name, meaning in _LEGACY.items()},
        **dict.fromkeys(_WRAPPERS, _keep),
        **_OTHER,
    }
    return {path: Intrinsic(path, meaning) for path, meaning in meanings.items()}

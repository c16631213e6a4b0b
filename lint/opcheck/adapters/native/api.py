"""The runtime's public functions, as symbolic import meets them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ...symbolic.containers import iterate
from ...symbolic.frame import Frame
from ...symbolic.scope import alternatives
from ...symbolic.values import Arguments, DictValue, FunctionValue, Handle, Intrinsic, Unknown, Value, is_scalar
from ..described.call import Call, applied
from ..described.description import Argument, Calls
from ..emitting import definition, on_path
from .annotations import is_array
from .records import Arm, Declared, Derivative, FeaturesEnabled, KernelAdded, RuleAdded

PACKAGE: Final = "opcheck_runtime"
_KERNEL: Final = Calls((), "object", Argument(0, "backend"))


def intrinsics() -> Mapping[str, Intrinsic]:
    """What opcheck gives a meaning to, by dotted path."""
    meanings = {"op": _op, "gated": _gated, "enable_features": _enable_features}
    return {f"{PACKAGE}.{name}": Intrinsic(f"{PACKAGE}.{name}", call) for name, call in meanings.items()}


@dataclass(eq=False, slots=True)
class Gated(Handle):
    """What `gated(...)` gives: a backend, or with None a derivative, behind a feature."""

    backend: Value
    feature: Value


@dataclass(eq=False, slots=True)
class NativeOp(Handle):
    """A declared op: a function to call, with `.kernel` and `.vjp` to complete it."""

    name: str
    function: FunctionValue

    def attribute(self, frame: Frame, name: str) -> Value:
        """`.kernel` and `.vjp`; the rest is the function's own."""
        match name:
            case "kernel":
                return Intrinsic(f"{self.name}.kernel", self._kernel)
            case "vjp":
                return Intrinsic(f"{self.name}.vjp", self._vjp)
            case _:
                return frame.machine.attribute(frame, self.function, name, self.function.node)

    def describe(self) -> str:
        """The op's qualified name."""
        return self.name

    def _kernel(self, frame: Frame, arguments: Arguments) -> Value:
        call, span = Call(_KERNEL, arguments), frame.span(arguments.expression(0, "backend"))

        def act(frame: Frame, function: Value) -> None:
            for condition, value in alternatives(call.value(_KERNEL.backend), frame.path):
                name, text = _read(frame, value)
                with on_path(frame, condition):
                    _emit(frame, KernelAdded(self.name, name, function, span, text), function, arguments)

        return applied(frame, call, f"{self.name}.kernel(...)", act)

    def _vjp(self, frame: Frame, arguments: Arguments) -> Value:
        rule = arguments.get(0, "rule")
        _emit(frame, RuleAdded(self.name, rule), rule, arguments)
        return rule


def _emit(frame: Frame, record: object, function: Value, arguments: Arguments) -> None:
    """Put a record at the function it registers, or at the call where that is none of the project's."""
    frame.machine.emit(frame, record, definition(function) or frame.span(arguments.node))


def _read(frame: Frame, value: Value) -> tuple[str | None, str]:
    """A name where it was read, else how it is written; neither for what can't be a name."""
    if is_scalar(value):
        return (value if isinstance(value, str) else None), ""
    return None, frame.machine.describe(value)


def _gated(_: Frame, arguments: Arguments) -> Value:
    return Gated(arguments.get(0, "backend"), arguments.get(None, "feature"))


def _enable_features(frame: Frame, arguments: Arguments) -> Value:
    names = tuple(v for v in arguments.positional if isinstance(v, str))
    frame.machine.emit(frame, FeaturesEnabled(names), frame.span(arguments.node))
    return None


def _op(frame: Frame, arguments: Arguments) -> Value:
    def declare(frame: Frame, inner: Arguments) -> Value:
        function = inner.get(0, "function")
        if not isinstance(function, FunctionValue):
            return Unknown(f"{PACKAGE}.op(...)")
        record = _declared(frame, function, arguments)
        frame.machine.emit(frame, record, definition(function) or record.listing)
        return NativeOp(record.op, function)

    return Intrinsic(f"{PACKAGE}.op(...)", declare)


def _declared(frame: Frame, function: FunctionValue, arguments: Arguments) -> Declared:
    listing = arguments.expression(None, "backends")
    backends = arguments.get(None, "backends")
    arms, complete = _arms(frame, backends, listing)
    return Declared(
        op=function.qualname,
        function=function,
        arms=arms,
        complete=complete,
        listing=frame.span(listing),
        derivatives=_derivatives(frame, arguments.get(None, "autodiff", False)),
        autodiff=frame.span(arguments.nodes.get("autodiff", listing)),
        unsupported=_left_out(frame, arguments),
        has_arrays=_has_arrays(function),
        text="" if arms or complete else _read(frame, backends)[1],
    )


def _left_out(frame: Frame, arguments: Arguments) -> dict[str, Span]:
    """The backends left out on purpose, each where it is written: the whole of it where that is no literal."""
    value = arguments.get(None, "unsupported")
    if not isinstance(value, DictValue):
        return {}
    node = arguments.expression(None, "unsupported")
    keys = [key for key in node.keys if isinstance(key, ast.Constant)] if isinstance(node, ast.Dict) else []
    places = {key.value: frame.span(key) for key in keys}
    return {name: places.get(name, frame.span(node)) for name in value.items if isinstance(name, str)}


def _has_arrays(function: FunctionValue) -> bool:
    spec = function.node.args
    parameters = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
    return any(is_array(function.module, p.annotation) for p in parameters if p.annotation)


def _arms(frame: Frame, value: Value, listing: ast.expr | ast.stmt) -> tuple[tuple[Arm, ...], bool]:
    """The entries of a backend list, and whether all of them were read."""
    items = iterate(frame, value) if not isinstance(value, str) else None
    if items is None:
        return (), False
    spans = _entry_spans(frame, listing, len(items))
    found: list[Arm] = []
    for (condition, item), span in zip(items, spans, strict=True):
        for guard, entry in alternatives(item, frame.path):
            found += _arm(frame, entry, condition & guard, span)
    return tuple(found), all(arm.backend is not None for arm in found)


def _entry_spans(frame: Frame, listing: ast.expr | ast.stmt, count: int) -> list[Span]:
    """Where each entry is written; the whole list where entries and expressions do not go together one by one."""
    if isinstance(listing, (ast.List, ast.Tuple)) and len(listing.elts) == count:
        return [frame.span(element) for element in listing.elts]
    return [frame.span(listing)] * count


def _arm(frame: Frame, entry: Value, condition: Condition, span: Span) -> list[Arm]:
    backend, gate = (entry.backend, entry.feature) if isinstance(entry, Gated) else (entry, None)
    found: list[Arm] = []
    for guard, named in alternatives(backend, condition):
        for here, opening in alternatives(gate, guard):
            (name, text), (feature, feature_text) = _read(frame, named), _read(frame, opening)
            found.append(Arm(name, feature, here, span, text, feature_text))
    return found


def _derivatives(frame: Frame, value: Value) -> tuple[Derivative, ...]:
    found: list[Derivative] = []
    for condition, entry in alternatives(value, frame.path):
        if isinstance(entry, Gated):
            for here, opening in alternatives(entry.feature, condition):
                feature, text = _read(frame, opening)
                found.append(Derivative(here, feature, feature is not None, text))
        elif isinstance(entry, bool):
            found += [Derivative(condition)] * entry
        else:
            found.append(Derivative(condition, None, False, _read(frame, entry)[1]))
    return tuple(found)

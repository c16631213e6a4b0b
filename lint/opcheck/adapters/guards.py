"""What the guards in a kernel's body come to for tensors of one backend."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, TypeAlias

from msgspec import Struct

from ..summary.nodes import statements
from ..symbolic.values import SCALARS, External, FunctionValue, Value
from ..uses.names import resolve


class Seen(Enum):
    """Something of a tensor, or array, that the kernel was chosen by."""

    TENSOR = "tensor"
    DEVICE = "tensor.device"
    TEXT = "str(tensor.device)"


class Known(Struct, frozen=True):
    """A value that is known for certain."""

    value: Any


class Device(Struct, frozen=True):
    """A device that the body names, by its type alone."""

    kind: str


Meaning: TypeAlias = Seen | Known | Device | None
"""What an expression is known to be; None for anything else."""

_ARRAYS: Final[Mapping[str, str]] = {"numpy.ndarray": "numpy", "cupy.ndarray": "cupy"}
_DEVICES: Final = frozenset({"cpu", "cuda", "xpu", "mps", "hpu", "mtia", "xla", "ipu", "maia", "meta"})
_COMPARISONS: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, container: item in container,
    ast.NotIn: lambda item, container: item not in container,
}


class On(Struct):
    """The backend that a body is run on (None: on whichever). One that never `asked` for it runs alike on all."""

    name: str | None
    asked: bool = False

    def ask(self) -> str | None:
        """The backend, for an answer that hangs on it."""
        self.asked = True
        return self.name


@dataclass
class Scene:
    """One call of a function on a backend: what its names are known to be."""

    function: FunctionValue
    on: On
    names: dict[str, Meaning] = field(default_factory=dict[str, Meaning])

    def truth(self, node: ast.expr) -> bool | None:
        """Whether a test is true; None where that is not known."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.truth(node.operand)
            return None if inner is None else not inner
        if isinstance(node, ast.BoolOp):
            return self._joined(node)
        found = self.meaning(node)
        return bool(found.value) if isinstance(found, Known) else None

    def _joined(self, node: ast.BoolOp) -> bool | None:
        """`and` fails by any part that does, `or` holds by any: what is not known matters only where none does."""
        decides = isinstance(node.op, ast.Or)
        answers = [self.truth(part) for part in node.values]
        if decides in answers:
            return decides
        return None if None in answers else not decides

    def meaning(self, node: ast.expr) -> Meaning:
        """What an expression is known to be."""
        match node:
            case ast.Constant(value=value):
                return Known(value)
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                return _tuple([self.meaning(item) for item in items])
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.Name():
                return self._constant(node)
            case ast.Attribute(value=base, attr=name):
                return self._attribute(self.meaning(base), name) or self._constant(node)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(self.meaning(left), op, self.meaning(right))
            case ast.UnaryOp(op=ast.Not()) | ast.BoolOp():
                answer = self.truth(node)
                return None if answer is None else Known(answer)
            case ast.Call():
                return self._called(node)
            case _:
                return None

    def resolved(self, node: ast.expr) -> Value:
        """What a dotted name stands for outside the function."""
        return resolve(self.function.scope, node, self.names.keys())

    def _constant(self, node: ast.expr) -> Meaning:
        """A constant of the module's: one that no function changes."""
        value = self.resolved(node)
        plain = value if isinstance(value, tuple) else (value,)
        is_read = value is not None and all(isinstance(part, SCALARS) for part in plain)
        return Known(value) if is_read and not _is_changed(self.function, node) else None

    def _attribute(self, base: Meaning, name: str) -> Meaning:
        backend = self.on.ask() if isinstance(base, Seen) else None
        if backend is None:
            return None
        match base, name:
            case Seen.TENSOR, "device":
                return Seen.DEVICE
            case Seen.TENSOR, _ if name.removeprefix("is_") in _DEVICES:
                return Known(name == f"is_{backend}")
            case Seen.DEVICE, "type":
                return Known(backend)
            case _:
                return None

    def _compared(self, left: Meaning, op: ast.cmpop, right: Meaning) -> Meaning:
        compare = _COMPARISONS.get(type(op))
        if compare is None:
            return None
        match left, right:
            case (Seen.DEVICE, Device(kind=kind)) | (Device(kind=kind), Seen.DEVICE) if self._differs(kind):
                return Known(compare(0, 1)) if isinstance(op, (ast.Eq, ast.NotEq)) else None
            case Known(value=str(part)), Seen.TEXT if part.isalpha() and (backend := self.on.ask()):
                return Known(compare(part, backend))
            case Known(value=one), Known(value=other):
                return _answer(compare, one, other)
            case _:
                return None

    def _differs(self, kind: str) -> bool:
        """Whether a device of this type is another one: of two of the same type nothing is known, they have numbers."""
        return self.on.ask() not in (None, kind)

    def _called(self, node: ast.Call) -> Meaning:
        match node:
            case ast.Call(func=ast.Attribute(value=base, attr="startswith"), args=[ast.Constant(value=str(head))]):
                return self._begins(self.meaning(base), head)
            case ast.Call(func=ast.Name(id="str"), args=[inner]) if self.meaning(inner) is Seen.DEVICE:
                return Seen.TEXT
            case ast.Call(func=ast.Name(id="isinstance"), args=[inner, kinds]) if self.meaning(inner) is Seen.TENSOR:
                return self._is_array(kinds)
            case ast.Call(func=function, args=[ast.Constant(value=str(kind))]):
                value = self.resolved(function)
                return Device(kind) if value == External("torch.device") and kind.isalpha() else None
            case _:
                return None

    def _begins(self, base: Meaning, head: str) -> Meaning:
        """What `startswith` says; a device may go on with a number after its type."""
        backend = self.on.ask() if base is Seen.TEXT and head.isalpha() else None
        if backend is not None:
            return Known(backend.startswith(head))
        return Known(base.value.startswith(head)) if isinstance(base, Known) and isinstance(base.value, str) else None

    def _is_array(self, kinds: ast.expr) -> Meaning:
        """Whether an array is one of the kinds named, where all of them are known."""
        names = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
        values = [self.resolved(name) for name in names]
        found = [_ARRAYS.get(value.path) if isinstance(value, External) else None for value in values]
        backend = self.on.ask()
        return Known(backend in found) if backend in _ARRAYS.values() and None not in found else None


def _tuple(items: list[Meaning]) -> Meaning:
    values = [item.value for item in items if isinstance(item, Known)]
    return Known(tuple(values)) if len(values) == len(items) else None


def _answer(compare: Callable[[Any, Any], bool], one: object, other: object) -> Meaning:
    try:
        return Known(compare(one, other))
    except TypeError:
        return None


def _is_changed(function: FunctionValue, node: ast.expr) -> bool:
    """Whether some function of the module binds the name anew when it is called."""
    name = node.id if isinstance(node, ast.Name) else None
    source = function.module.source
    found = statements([source.tree], "global") if "global" in source.text else ()
    return any(isinstance(node, ast.Global) and name in node.names for node in found)

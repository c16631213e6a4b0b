"""`torch.library.Library`: the object that definitions and kernels of one namespace are registered through."""

from __future__ import annotations

from dataclasses import dataclass

from ...symbolic.frame import Frame
from ...symbolic.lift import lift
from ...symbolic.scope import alternatives
from ...symbolic.values import Arguments, Handle, Intrinsic, Unknown, Value
from ..emitting import on_path
from .custom import silent
from .keys import IMPLICIT, parsed_key
from .record import NamedOp, Within, define, fill, fill_slot, qualified
from .records import Filled
from .schema import split_definition


@dataclass(eq=False)
class Library(Handle):
    """A `torch.library.Library`: its namespace and key are texts where they were read."""

    namespace: Value
    key: Value

    def describe(self) -> str:
        """The library by its namespace."""
        return f"<library {self.namespace if isinstance(self.namespace, str) else '?'}>"

    def attribute(self, frame: Frame, name: str) -> Value:
        """Its methods that register, and its namespace."""
        methods = {
            "define": self.define,
            "impl": self._impl,
            "_register_fake": self._fake,
            "_impl_with_aoti_compile": self._compiled,
        }
        if name in methods:
            return Intrinsic(f"{self.describe()}.{name}", methods[name])
        if name == "ns":
            return self.namespace
        return Intrinsic(f"{self.describe()}.{name}", silent)

    def define(self, frame: Frame, arguments: Arguments) -> Value:
        """`define(schema, alias_analysis="", *, tags=())`, where the schema begins with the op's name."""
        for condition, text in alternatives(arguments.get(0, "schema"), frame.path):
            with on_path(frame, condition):
                name, schema = self._split(frame, text)
                define(frame, name, schema, arguments, "define")
        return lift(frame, [arguments.get(0, "schema")], lambda v: self._name(frame, v[0]))

    def legacy_define(self, frame: Frame, arguments: Arguments) -> Value:
        """`torch.library.define(lib, schema)`: defines the op, and takes the decorated function for its kernel."""
        name = self.define(frame, arguments)

        def register(frame: Frame, inner: Arguments) -> Value:
            self._add(frame, name, inner.get(0, "f"), "", arguments)
            return inner.get(0, "f")

        return Intrinsic(f"{self.describe()}.define(...)", register)

    def _name(self, frame: Frame, text: Value) -> Value:
        parts = split_definition(text) if isinstance(text, str) else None
        return parts[0] if parts else self._split(frame, text)[0]

    def _split(self, frame: Frame, text: Value) -> tuple[Value, Value]:
        """The op and the schema of a definition, which one that is read begins with."""
        parts = split_definition(text) if isinstance(text, str) else None
        return (self.qualify(frame, parts[0]), parts[1]) if parts else (self.qualify(frame, text), None)

    def qualify(self, frame: Frame, name: Value) -> Value:
        """The full name of an op that is named within the library, or by reference."""
        if isinstance(name, NamedOp) or qualified(name) is not None:
            return name
        if not isinstance(self.namespace, str):
            return Unknown(frame.machine.describe(self.namespace))
        return f"{self.namespace}::{name.removesuffix('.')}" if isinstance(name, str) else Within(self.namespace, name)

    def _impl(self, frame: Frame, arguments: Arguments) -> Value:
        """`impl(op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=True)`."""
        op, key = arguments.get(0, "op_name"), arguments.get(2, "dispatch_key", "")
        self._add(frame, op, arguments.get(1, "fn"), key, arguments)
        return None

    def _compiled(self, frame: Frame, arguments: Arguments) -> Value:
        """`_impl_with_aoti_compile(op_name, dispatch_key="")`: the compiler writes the kernel."""
        op, key = arguments.get(0, "op_name"), arguments.get(1, "dispatch_key", "")
        self._add(frame, op, Unknown("a compiled kernel"), key, arguments)
        return None

    def legacy_impl(self, frame: Frame, arguments: Arguments) -> Value:
        """`torch.library.impl(lib, name, dispatch_key="")` as a decorator."""
        name, key = arguments.get(1, "name"), arguments.get(2, "dispatch_key", "")

        def register(frame: Frame, inner: Arguments) -> Value:
            self._add(frame, name, inner.get(0, "f"), key, arguments)
            return inner.get(0, "f")

        return Intrinsic(f"{self.describe()}.impl(...)", register)

    def _add(self, frame: Frame, op: Value, function: Value, key: Value, arguments: Arguments) -> None:
        name = lift(frame, [op], lambda values: self.qualify(frame, values[0]))
        place = frame.span(arguments.expression(2, "dispatch_key"))
        yields = arguments.get(None, "allow_override", True) is False
        for condition, value in alternatives(self.key if key == "" else key, frame.path):
            written = value if isinstance(value, str) else None
            filled = Filled(
                None,
                None,
                "kernel",
                function,
                place,
                key=None if written is None else parsed_key(written) if written else IMPLICIT,
                written=written or None,
                text=frame.machine.describe(value),
                unknown_message=f"could not parse dispatch key: {written}",
                yields=yields,
                by_own_name=isinstance(op, str) and "::" not in op,
            )
            with on_path(frame, condition):
                fill(frame, name, filled, arguments)

    def _fake(self, frame: Frame, arguments: Arguments) -> Value:
        """`_register_fake(op_name, fn)`."""
        op, function = arguments.get(0, "op_name"), arguments.get(1, "fn")
        fill_slot(frame, lift(frame, [op], lambda v: self.qualify(frame, v[0])), "fake", function, arguments)
        return None

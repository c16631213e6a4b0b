"""`torch.library.Library`: the object that definitions and kernels of one namespace are registered through."""

from __future__ import annotations

from dataclasses import dataclass

from ...symbolic.frame import Frame
from ...symbolic.lift import lift
from ...symbolic.scope import alternatives
from ...symbolic.values import Arguments, Handle, Intrinsic, Unknown, Value
from .custom import silent
from .keys import IMPLICIT, parsed_key
from .record import NamedOp, define, fill, fill_slot, on_path, qualified
from .records import Filled
from .schema import split_definition


@dataclass(eq=False)
class Library(Handle):
    """A `torch.library.Library`: `namespace` and `key` are None where they were not read."""

    namespace: str | None
    key: str | None

    def describe(self) -> str:
        """The library by its namespace."""
        return f"<library {self.namespace or '?'}>"

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
            return self.namespace or Unknown(f"{self.describe()}.ns")
        return Intrinsic(f"{self.describe()}.{name}", silent)

    def define(self, frame: Frame, arguments: Arguments) -> Value:
        """`define(schema, alias_analysis="", *, tags=())`, where the schema begins with the op's name."""
        for condition, text in alternatives(arguments.get(0, "schema"), frame.path):
            with on_path(frame, condition):
                name, schema = self._split(text)
                define(frame, name, schema, arguments, "define")
        return lift(frame, [arguments.get(0, "schema")], lambda v: self._name(v[0]))

    def legacy_define(self, frame: Frame, arguments: Arguments) -> Value:
        """`torch.library.define(lib, schema)`: defines the op, and takes the decorated function for its kernel."""
        name = self.define(frame, arguments)

        def register(frame: Frame, inner: Arguments) -> Value:
            self._add(frame, name, inner.get(0, "f"), "", arguments)
            return inner.get(0, "f")

        return Intrinsic(f"{self.describe()}.define(...)", register)

    def _name(self, text: Value) -> Value:
        parts = split_definition(text) if isinstance(text, str) else None
        return parts[0] if parts else Unknown(f"{self.namespace or '?'}::?")

    def _split(self, text: Value) -> tuple[Value, Value]:
        """The op and the schema of a definition; a name that was not read keeps what is known of its namespace."""
        parts = split_definition(text) if isinstance(text, str) else None
        return (self.qualify(parts[0]), parts[1]) if parts else (self.qualify(None), None)

    def qualify(self, name: Value) -> Value:
        """The full name of an op that is named within the library, or by reference."""
        if isinstance(name, NamedOp) or qualified(name) is not None:
            return name
        if isinstance(name, str) and self.namespace is not None:
            return f"{self.namespace}::{name.removesuffix('.')}"
        return Unknown(f"{self.namespace or '?'}::?")

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
        name = lift(frame, [op], lambda values: self.qualify(values[0]))
        place = frame.span(arguments.expression(2, "dispatch_key"))
        yields = arguments.get(None, "allow_override", True) is False
        for condition, value in alternatives(key, frame.path):
            written = value if isinstance(value, str) else None
            filled = Filled(
                None,
                None,
                "kernel",
                function,
                place,
                key=self._key(written),
                written=written or None,
                text=frame.machine.describe(value),
                unknown_message=f"could not parse dispatch key: {written}",
                yields=yields,
                by_own_name=isinstance(op, str) and "::" not in op,
            )
            with on_path(frame, condition):
                fill(frame, name, filled, arguments)

    def _key(self, written: str | None) -> str | None:
        """The key a kernel goes to: its own, else the library's, else the composite one that serves everything."""
        name = self.key if written == "" else written
        if name is None:
            return None
        return parsed_key(name) if name else IMPLICIT

    def _fake(self, frame: Frame, arguments: Arguments) -> Value:
        """`_register_fake(op_name, fn)`."""
        op, function = arguments.get(0, "op_name"), arguments.get(1, "fn")
        fill_slot(frame, lift(frame, [op], lambda values: self.qualify(values[0])), "fake", function, arguments)
        return None

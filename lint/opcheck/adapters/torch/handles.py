"""The objects that PyTorch's registration API hands out: a library, a custom op, a reference to an op."""

from __future__ import annotations

from dataclasses import dataclass

from ...symbolic.frame import Frame
from ...symbolic.lift import lift
from ...symbolic.scope import alternatives
from ...symbolic.values import Arguments, FunctionValue, Handle, Intrinsic, Unknown, Value
from .keys import IMPLICIT, key_of
from .record import NamedOp, define, fill, fill_kernels, qualified
from .schema import split_definition


@dataclass(eq=False)
class OpReference(NamedOp):
    """An op by name: `torch.ops.ns.op`."""

    name: Value

    def describe(self) -> str:
        """How the reference is written."""
        return f"torch.ops.{self.name!s}" if isinstance(self.name, str) else "torch.ops.?"


@dataclass(eq=False)
class CustomOp(NamedOp):
    """What `custom_op` gives: a function to call, with methods that complete the op."""

    name: Value
    function: Value

    def describe(self) -> str:
        """The op's name, as far as it is known."""
        return f"<custom op {self.name if isinstance(self.name, str) else '?'}>"

    def attribute(self, frame: Frame, name: str) -> Value:
        """The methods that register; the rest is the function's own."""
        slots = {"register_fake": "fake", "register_autograd": "derivative", "register_vmap": "vmap"}
        if name in slots:
            return Intrinsic(f"{self.describe()}.{name}", lambda f, a: self._register(f, slots[name], a))
        if name == "register_kernel":
            return Intrinsic(f"{self.describe()}.register_kernel", self._register_kernel)
        if name == "_opoverload":
            return OpReference(self.name)
        if isinstance(self.function, FunctionValue):
            return frame.machine.attribute(frame, self.function, name, self.function.node)
        return Unknown(f"{self.describe()}.{name}")

    def _register(self, frame: Frame, slot: str, arguments: Arguments) -> Value:
        function = arguments.get(0, "fn")
        fill(frame, self, slot, function, arguments)
        return function

    def _register_kernel(self, frame: Frame, arguments: Arguments) -> Value:
        """`register_kernel(device_types, fn=None, /)`."""
        devices = arguments.get(0, "device_types")

        def register(frame: Frame, inner: Arguments) -> Value:
            fill_kernels(frame, self, devices, inner.get(0, "fn"), arguments, (0, "device_types"))
            return inner.get(0, "fn")

        given = arguments.get(1, "fn")
        if given is None:
            return Intrinsic(f"{self.describe()}.register_kernel(...)", register)
        return register(frame, Arguments([given], {}, arguments.node))


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
        methods = {"define": self.define, "impl": self._impl, "_register_fake": self._fake, "register_fake": self._fake}
        if name in methods:
            return Intrinsic(f"{self.describe()}.{name}", methods[name])
        if name == "ns":
            return self.namespace or Unknown(f"{self.describe()}.ns")
        return Intrinsic(f"{self.describe()}.{name}", lambda _, __: None)

    def define(self, frame: Frame, arguments: Arguments) -> Value:
        """`define(schema, alias_analysis="", *, tags=())`, where the schema begins with the op's name."""
        for condition, text in alternatives(arguments.get(0, "schema"), frame.path):
            before, frame.path = frame.path, condition
            name, schema = self._split(text)
            define(frame, name, schema, arguments, api="define")
            frame.path = before
        return arguments.get(0, "schema")

    def _split(self, text: Value) -> tuple[Value, Value]:
        """The op and the schema of a definition; a name that was not read keeps what is known of its namespace."""
        parts = split_definition(text) if isinstance(text, str) else None
        if parts is None:
            return Unknown(f"{self.namespace or '?'}::?"), Unknown("a schema")
        return self.qualify(parts[0]), parts[1]

    def qualify(self, name: Value) -> Value:
        """The full name of an op that is named within the library, or by reference."""
        if isinstance(name, NamedOp) or qualified(name) is not None:
            return name
        if isinstance(name, str) and self.namespace is not None:
            return f"{self.namespace}::{name}"
        return Unknown(f"{self.namespace or '?'}::?")

    def _qualified(self, frame: Frame, name: Value) -> Value:
        return lift(frame, [name], lambda values: self.qualify(values[0]))

    def _impl(self, frame: Frame, arguments: Arguments) -> Value:
        """`impl(op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=True)`."""
        op, key = arguments.get(0, "op_name"), arguments.get(2, "dispatch_key", "")
        self._add(frame, op, arguments.get(1, "fn"), key, arguments)
        return None

    def _add(self, frame: Frame, op: Value, function: Value, key: Value, arguments: Arguments) -> None:
        name = self._qualified(frame, op)
        place = arguments.expression(2, "dispatch_key")
        for condition, value in alternatives(key, frame.path):
            before, frame.path = frame.path, condition
            written = value if isinstance(value, str) else None
            found = self._key(written)
            fill(
                frame,
                name,
                "kernel",
                function,
                arguments,
                key=found,
                written=written,
                key_span=frame.span(place),
                unknown_message=f"could not parse dispatch key: {written}",
            )
            frame.path = before

    def _key(self, written: str | None) -> str | None:
        """The key a kernel goes to: its own, else the library's, else the composite one that serves everything."""
        if written == "":
            return (self.key and key_of(self.key)) or (IMPLICIT if self.key == "" else None)
        return key_of(written) if written is not None else None

    def legacy_impl(self, frame: Frame, arguments: Arguments) -> Value:
        """`impl(lib, name, dispatch_key="")` as a decorator."""
        name, key = arguments.get(1, "name"), arguments.get(2, "dispatch_key", "")

        def register(frame: Frame, inner: Arguments) -> Value:
            self._add(frame, name, inner.get(0, "f"), key, arguments)
            return inner.get(0, "f")

        return Intrinsic(f"{self.describe()}.impl(...)", register)

    def _fake(self, frame: Frame, arguments: Arguments) -> Value:
        """`_register_fake(op_name, fn)`."""
        fill(frame, self._qualified(frame, arguments.get(0, "op_name")), "fake", arguments.get(1, "fn"), arguments)
        return arguments.get(1, "fn")

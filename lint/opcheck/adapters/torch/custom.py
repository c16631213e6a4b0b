"""What `custom_op` and its kin hand out: a function to call, with methods that complete the op."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ...symbolic.frame import Frame
from ...symbolic.values import Arguments, FunctionValue, Intrinsic, Unknown, Value
from .record import NamedOp, apply, fill_kernels, fill_slot

_SLOTS: Final[Mapping[str, str]] = {
    "register_fake": "fake",
    "register_autograd": "derivative",
    "register_vmap": "vmap",
    "impl_abstract": "fake",
    "impl_backward": "backward",
    "impl_save_for_backward": "save_for_backward",
}
_FIRST: Final[Mapping[str, tuple[int, str]]] = {
    "register_autograd": (0, "backward"),
    "register_vmap": (0, "func"),
}
# `op.impl_backward(output_differentiability=None)` and its siblings give decorators, whatever they are called with.
_DECORATORS: Final = frozenset({"impl_abstract", "impl_backward", "impl_save_for_backward"})
_SILENT: Final = frozenset({"register_autocast", "register_torch_dispatch", "set_kernel_enabled", "impl_factory"})


@dataclass(eq=False)
class OpReference(NamedOp):
    """An op that is there, by name: what asking for it gave, or the overload behind a custom op."""

    name: Value

    def describe(self) -> str:
        """How the reference is written."""
        return f"torch.ops.{self.name.replace('::', '.')}" if isinstance(self.name, str) else "torch.ops.?"

    def attribute(self, frame: Frame, name: str) -> Value:
        """An overload, by its name; an overload's own attributes are not known."""
        if isinstance(self.name, str) and "." not in self.name and not name.startswith("_"):
            return OpReference(f"{self.name}.{name}")
        return Unknown(f"{self.describe()}.{name}")


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
        if name in _SLOTS:
            return Intrinsic(f"{self.describe()}.{name}", lambda f, a: self._register(f, name, a))
        if name in ("register_kernel", "impl"):
            return Intrinsic(f"{self.describe()}.{name}", self._register_kernel)
        if name in _SILENT:
            return Intrinsic(f"{self.describe()}.{name}", silent)
        if name == "_opoverload":
            return OpReference(f"{self.name}.default" if isinstance(self.name, str) else self.name)
        if name == "_qualname":
            return self.name
        if isinstance(self.function, FunctionValue):
            return frame.machine.attribute(frame, self.function, name, self.function.node)
        return Unknown(f"{self.describe()}.{name}")

    def _register(self, frame: Frame, name: str, arguments: Arguments) -> Value:
        def register(frame: Frame, inner: Arguments) -> Value:
            fill_slot(frame, self, _SLOTS[name], inner.get(0, "fn"), arguments, through_op=True)
            return inner.get(0, "fn")

        if name in _DECORATORS:
            return Intrinsic(f"{self.describe()}.{name}(...)", register)
        return apply(frame, arguments, _FIRST.get(name, (0, "fn")), register)

    def _register_kernel(self, frame: Frame, arguments: Arguments) -> Value:
        """`register_kernel(device_types, fn=None, /)`."""
        devices = arguments.get(0, "device_types")

        def register(frame: Frame, inner: Arguments) -> Value:
            function = inner.get(0, "fn")
            fill_kernels(frame, self, devices, function, arguments, (0, "device_types"), through_op=True)
            return function

        return apply(frame, arguments, (1, "fn"), register)


def silent(_: Frame, arguments: Arguments) -> Value:
    """A registration that fills no cell, called with a function somewhere among its arguments or as a decorator."""
    functions = [v for v in (*arguments.positional, *arguments.keywords.values()) if isinstance(v, FunctionValue)]
    return functions[0] if functions else Intrinsic("decorator", silent)

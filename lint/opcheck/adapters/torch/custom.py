"""What `custom_op` and its kin hand out: a function to call, with methods that complete the op."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ...symbolic.frame import Frame
from ...symbolic.values import Arguments, FunctionValue, Intrinsic, Unknown, Value
from ..described.call import Call
from ..described.description import Argument, Calls
from .record import NamedOp, completed

_KERNEL: Final = ("kernel", Calls((), "object", Argument(0, "device_types"), Argument(1, "fn")))
_METHODS: Final[Mapping[str, tuple[str, Calls]]] = {
    "register_kernel": _KERNEL,
    "impl": _KERNEL,
    "register_fake": ("fake", Calls((), "object", function=Argument(0, "fn"))),
    "register_autograd": ("derivative", Calls((), "object", function=Argument(0, "backward"))),
    "register_vmap": ("vmap", Calls((), "object", function=Argument(0, "func"))),
    # `op.impl_backward(output_differentiability=None)` and its siblings give decorators, whatever they are called with.
    "impl_abstract": ("fake", Calls((), "object")),
    "impl_backward": ("backward", Calls((), "object")),
    "impl_save_for_backward": ("save_for_backward", Calls((), "object")),
}
"""The methods that complete an op: the slot each fills, and which of its arguments is what."""
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
        if name in _METHODS:
            return Intrinsic(f"{self.describe()}.{name}", lambda f, a: self._complete(f, a, *_METHODS[name]))
        if name in _SILENT:
            return Intrinsic(f"{self.describe()}.{name}", silent)
        if name == "_opoverload":
            return OpReference(f"{self.name}.default" if isinstance(self.name, str) else self.name)
        if name == "_qualname":
            return self.name
        if isinstance(self.function, FunctionValue):
            return frame.machine.attribute(frame, self.function, name, self.function.node)
        return Unknown(f"{self.describe()}.{name}")

    def _complete(self, frame: Frame, arguments: Arguments, slot: str, shape: Calls) -> Value:
        return completed(frame, Call(shape, arguments), slot, self, through_op=True)


def silent(_: Frame, arguments: Arguments) -> Value:
    """A registration that fills no cell, called with a function somewhere among its arguments or as a decorator."""
    functions = [v for v in (*arguments.positional, *arguments.keywords.values()) if isinstance(v, FunctionValue)]
    return functions[0] if functions else Intrinsic("decorator", silent)

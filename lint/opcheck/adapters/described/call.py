"""A call that registers a function, as data says which of its arguments is what."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from ...symbolic.frame import Frame
from ...symbolic.values import Arguments, BoundMethod, ClassValue, FunctionValue, Intrinsic, Value
from .arguments import Given, Signature
from .description import Argument, Calls

Act: TypeAlias = Callable[[Frame, Value], None]
_FUNCTIONS = (FunctionValue, ClassValue, BoundMethod)


class Call(Struct, frozen=True):
    """One call, by what the shape says of its arguments; what that leaves out, the signature may tell."""

    shape: Calls
    arguments: Arguments
    signature: Signature = Signature()

    def given(self, argument: Argument | str | None) -> Given | None:
        """What is given for an argument, or stands for it by default."""
        return self.signature.given(self.arguments, argument) if isinstance(argument, Argument) else None

    def value(self, argument: Argument | str | None) -> Value:
        """The same, by its value alone: None where there is none."""
        given = self.given(argument)
        return given.value if given is not None else None

    def function(self) -> Value:
        """The function that the call registers, None where that is the one it decorates."""
        if self.shape.function is not None:
            given = self.given(self.shape.function)
            return None if given is None or given.is_default else given.value
        # What decorates may be given the function as well, and is where it is written without arguments.
        arguments = [a for a in (self.shape.op, self.shape.backend) if isinstance(a, Argument)]
        taken = {self.signature.place(argument)[0] for argument in arguments}
        left = [value for i, value in enumerate(self.arguments.positional) if i not in taken]
        return left[0] if len(left) == 1 and isinstance(left[0], _FUNCTIONS) else None


def applied(frame: Frame, call: Call, name: str, act: Act) -> Value:
    """Act on the function that a call registers; where it is still to be decorated, give what will."""

    def decorate(frame: Frame, inner: Arguments) -> Value:
        function = inner.get(0, "function")
        act(frame, function)
        return function

    function = call.function()
    if function is None:
        return Intrinsic(name, decorate)
    act(frame, function)
    return function

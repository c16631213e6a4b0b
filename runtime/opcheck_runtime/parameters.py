"""An op's parameters: which are array inputs, in what order they decide the backend, what a kernel must take."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from .annotations import array_kind
from .arrays import ArrayKind

_IDLE_INSTRUCTIONS: Final = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}


@dataclass(frozen=True)
class Parameters:
    """The parameters of an op, in the order of its signature; `kinds` gives None for one that passes through."""

    signature: inspect.Signature
    kinds: tuple[ArrayKind | None, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every parameter's name."""
        return tuple(self.signature.parameters)

    @cached_property
    def arrays(self) -> tuple[int, ...]:
        """The positions of the array inputs."""
        return tuple(i for i, kind in enumerate(self.kinds) if kind is not None)

    @cached_property
    def routing_order(self) -> tuple[int, ...]:
        """The positions of the array inputs in the order they are asked for the backend: float arrays first."""
        return tuple(sorted(self.arrays, key=lambda i: self.kinds[i] is not ArrayKind.FLOAT))

    @cached_property
    def trackable(self) -> tuple[int, ...]:
        """The positions a derivative rule gives gradients for, in order."""
        return tuple(i for i, kind in enumerate(self.kinds) if kind is not None and kind.trackable)


def parameters_of(function: Callable[..., Any]) -> Parameters:
    """Read the parameters of a declaring function.

    Raises ValueError for `*args` and `**kwargs`: a kernel gets every parameter by position, so their number is fixed.
    """
    signature = inspect.signature(function)
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise ValueError(f"`{parameter}` has no fixed number of parameters; name each one")
    annotations = [parameter.annotation for parameter in signature.parameters.values()]
    return Parameters(signature, tuple(array_kind(annotation, function) for annotation in annotations))


def by_position(function: Callable[..., Any], parameters: Parameters) -> Callable[..., Any]:
    """Make `function` take its keyword-only parameters by position too, as a kernel does."""
    named = [p.name for p in parameters.signature.parameters.values() if p.kind is p.KEYWORD_ONLY]
    if not named:
        return function
    first = len(parameters.names) - len(named)
    return lambda *args: function(*args[:first], **dict(zip(named, args[first:], strict=True)))


def takes_positionally(function: Callable[..., Any], count: int) -> bool:
    """True if `function` can be called with `count` positional arguments, as far as it tells its signature."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # compiled code often has none
        return True
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


def does_nothing(function: Callable[..., Any]) -> bool:
    """True for a body of `...`, `pass`, a docstring or a bare return: one that is there to be replaced by kernels."""
    instructions = list(dis.get_instructions(function))
    constants = [i.argval for i in instructions if i.opname in ("LOAD_CONST", "RETURN_CONST")]
    return {i.opname for i in instructions} <= _IDLE_INSTRUCTIONS and constants == [None]

"""What a tracked value refuses, so that it fails here with advice and not inside NumPy or CuPy without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeVar

from .errors import TrackedError

C = TypeVar("C", bound=type)

_BINARY: Final = {
    "**": "pow",
    "@": "matmul",
    "//": "floordiv",
    "%": "mod",
    "divmod()": "divmod",
    "<<": "lshift",
    ">>": "rshift",
    "&": "and",
    "|": "or",
    "^": "xor",
}
_OTHER: Final = {
    "unary `+`": "pos",
    "abs()": "abs",
    "~": "invert",
    "round()": "round",
    "==": "eq",
    "!=": "ne",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
    "bool()": "bool",
    "int()": "int",
    "float()": "float",
    "complex()": "complex",
    "use as an index": "index",
    "len()": "len",
    "iteration": "iter",
    "`in`": "contains",
    "indexing": "getitem",
    "assignment to an item": "setitem",
    "deletion of an item": "delitem",
    "conversion to a NumPy array": "array",
}


def refuse(what: str) -> NoReturn:
    """Raise the TrackedError that says why `what` fails, and what to write instead."""
    raise TrackedError(
        f"{what} of a tracked value would lose its gradient, so it is not done\n"
        "  to fix: declare an op with a `.vjp` rule for it, or take `.value` where no gradient is wanted"
    )


def refuse_operators(cls: C) -> C:
    """Make every operator, conversion and attribute that `cls` has no derivative for refuse.

    They are set and not written out, so that type checkers do not take them for supported.
    """
    methods = {f"__{name}__": _refusing(symbol) for symbol, name in (_BINARY | _OTHER).items()}
    methods |= {f"__r{name}__": _refusing(symbol) for symbol, name in _BINARY.items()}
    methods["__getattr__"] = _no_attribute
    for name, method in methods.items():
        setattr(cls, name, method)
    return cls


def _no_attribute(_tracked: object, name: str) -> NoReturn:
    raise AttributeError(
        f"a tracked value has no attribute `{name}`: the array is `.value`, and what is computed from it without an op"
        " is not differentiated"
    )


def _refusing(symbol: str) -> Callable[..., NoReturn]:
    def method(*_args: Any, **_options: Any) -> NoReturn:
        refuse(symbol)

    return method

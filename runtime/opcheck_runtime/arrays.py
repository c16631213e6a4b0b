"""Arrays recognised by their type's name, so that neither NumPy nor CuPy is ever imported here."""

from __future__ import annotations

import sys
from enum import Enum
from functools import lru_cache
from typing import Annotated, Any, Final, TypeAlias

from .spec import BACKENDS


class ArrayKind(Enum):
    """What an array parameter holds; FLOAT ones are asked first for the backend, FLOAT and ANY ones can be tracked."""

    ANY = "array"
    FLOAT = "float array"
    INT = "int array"
    BOOL = "bool array"

    @property
    def trackable(self) -> bool:
        """True for a parameter that a tracked value can be passed to."""
        return self in (ArrayKind.ANY, ArrayKind.FLOAT)


Array: TypeAlias = Annotated[Any, ArrayKind.ANY]
"""An array parameter of any dtype. To a type checker it is `Any`: NumPy and CuPy arrays share no static type."""
FloatArray: TypeAlias = Annotated[Any, ArrayKind.FLOAT]
"""An array parameter of floating dtype, any shape: the first one that holds an array decides the backend."""
IntArray: TypeAlias = Annotated[Any, ArrayKind.INT]
"""An array parameter of integer dtype, any shape, never tracked."""
BoolArray: TypeAlias = Annotated[Any, ArrayKind.BOOL]
"""An array parameter of boolean dtype, any shape, never tracked."""

_ARRAY_TYPES: Final = {(backend, "ndarray"): backend for backend in BACKENDS}
_PYTHON_SCALARS: Final = (bool, int, float, complex)


@lru_cache(maxsize=1024)  # a tracked call asks several times
def backend_of_type(cls: type) -> str | None:
    """Name the backend whose arrays `cls` is, a subclass counting as its base; None if it is no array type."""
    for base in cls.__mro__:
        backend = _ARRAY_TYPES.get((base.__module__, base.__name__))
        if backend is not None:
            return backend
    return None


def backend_of(value: object) -> str | None:
    """Name the backend that `value` is an array of, None if it is no array."""
    cls: type = type(value)
    return backend_of_type(cls)


def is_scalar_type(cls: type) -> bool:
    """True for Python's numbers and NumPy's scalars, which every backend takes beside its arrays."""
    return _is_numpy_scalar_type(cls) or issubclass(cls, _PYTHON_SCALARS)


def is_numpy_scalar(value: object) -> bool:
    """True for NumPy's scalars, which its reductions give in place of 0-d arrays."""
    cls: type = type(value)
    return _is_numpy_scalar_type(cls)


@lru_cache(maxsize=1024)
def _is_numpy_scalar_type(cls: type) -> bool:
    return any(base.__module__ == "numpy" and base.__name__ == "generic" for base in cls.__mro__)


def namespace_of(array: object) -> Any:
    """Give the module that `array` came from; it is there, since it made the array."""
    backend = backend_of(array)
    assert backend is not None, "only arrays have a namespace"
    return sys.modules[backend]


def as_array(value: object, like: object) -> Any:
    """Make a 0-d array of a scalar, by the backend of `like`; anything else stays what it is.

    NumPy gives scalars where CuPy gives 0-d arrays, and scalars cannot choose a backend.
    """
    cls: type = type(value)
    return namespace_of(like).asarray(value) if is_scalar_type(cls) else value


def type_name(cls: type) -> str:
    """Name a type as its users write it."""
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


def type_name_of(value: object) -> str:
    """Name the type of `value` as its users write it."""
    return type_name(type(value))

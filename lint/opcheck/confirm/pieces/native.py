"""Inputs for the ops of opcheck's runtime."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


def array(backend: str, dtype: str = "float64") -> Any:
    """Make an array of ones, to be dispatched.

    Without a GPU it is a CuPy array over no memory, and without CuPy a class of that name, by which the runtime tells
    it: both are dispatched like any other, and neither can be computed with.
    """
    if backend == "numpy":
        return importlib.import_module("numpy").ones((2, 2), dtype)
    try:
        cupy = importlib.import_module("cupy")
    except ImportError:
        return type("ndarray", (), {"__module__": "cupy"})()
    if cupy.is_available():
        return cupy.ones((2, 2), dtype)
    nowhere = cupy.cuda.MemoryPointer(cupy.cuda.UnownedMemory(1, 32, None, 0), 0)
    return cupy.ndarray((2, 2), dtype, memptr=nowhere)


def arguments(op: Any, backend: str, wrap: Callable[[Any], Any] = lambda value: value) -> dict[str, Any]:
    """One argument for each array parameter of `op`, and for each other one without a default, by its annotation.

    `wrap` is applied to what a gradient can be asked for.
    """
    parameters, given = op.__opcheck__.parameters, dict[str, Any]()
    for parameter, kind in zip(parameters.signature.parameters.values(), parameters.kinds, strict=True):
        if kind is not None:
            value = array(backend, {"int array": "int64", "bool array": "bool"}.get(kind.value, "float64"))
            given[parameter.name] = wrap(value) if kind.trackable else value
        elif parameter.default is parameter.empty:
            annotation = getattr(parameter.annotation, "__name__", parameter.annotation)
            given[parameter.name] = {"int": 1, "bool": True, "str": ""}.get(annotation, 1.0)
    return given

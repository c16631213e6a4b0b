"""Call ops of the showcase in this process, and print what each call raises.

Standard input holds a JSON list of `[op, backend, context]`; the answer is a JSON list of `[type, message]`, null where
nothing was raised. CuPy is not there: an array type of its name and module takes its place, as dispatch goes by both.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any

import numpy as np

from opcheck_runtime import track


class FakeCupyArray:
    """Dispatched as an array of CuPy, and good for nothing else."""


FakeCupyArray.__module__, FakeCupyArray.__name__ = "cupy", "ndarray"
MAKE = {"numpy": lambda: np.full((4, 4), 0.5), "cupy": FakeCupyArray}


def call(name: str, backend: str, context: str) -> Any:
    """Call an op with arrays of one backend, tracked where the context is autodiff, and defaults."""
    module, _, function = name.rpartition(".")
    op = getattr(import_module(module), function)
    parameters = op.__opcheck__.parameters
    arrays = [MAKE[backend]() for _ in parameters.arrays]
    if context == "autodiff":
        arrays = [track(array) for array in arrays]
    return op(**dict(zip((parameters.names[i] for i in parameters.arrays), arrays, strict=True)))


def raised(name: str, backend: str, context: str) -> tuple[str, str] | None:
    """What the call raises: the name of its type, and its message."""
    try:
        call(name, backend, context)
    except Exception as error:  # whatever it is, it is compared with what was predicted
        return type(error).__name__, str(error)
    return None


if __name__ == "__main__":
    json.dump([raised(*question) for question in json.load(sys.stdin)], sys.stdout)

"""Print which methods the backend classes of a package really have: one JSON document on standard output.

Run in a process of its own: `python classes.py ot`. A method is there where the class that the method resolution order
gives has one whose code can end otherwise than by raising; that is told from its bytecode, not from its source.
"""

from __future__ import annotations

import dis
import importlib
import inspect
import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

_ENDS = {"RETURN_VALUE", "RETURN_CONST", "RETURN_GENERATOR", "YIELD_VALUE"}


def pot() -> tuple[type, dict[str, type]]:
    """POT: the subclasses of the base, each under the name that it says it has."""
    base: type = importlib.import_module("ot.backend").Backend
    backends: list[type] = base.__subclasses__()
    return base, {vars(backend)["__name__"]: backend for backend in backends}


def tensorcircuit() -> tuple[type, dict[str, type]]:
    """TensorCircuit-NG: the classes in the table of its factory."""
    base: type = importlib.import_module("tensorcircuit.backends.abstract_backend").ExtendedBackend
    return base, importlib.import_module("tensorcircuit.backends.backend_factory")._BACKENDS


PACKAGES: Mapping[str, Callable[[], tuple[type, dict[str, type]]]] = {"ot": pot, "tensorcircuit": tensorcircuit}


def methods(base: type) -> list[str]:
    """The public methods of a class, as written in it."""
    return [name for name, value in vars(base).items() if inspect.isfunction(value) and not name.startswith("_")]


def works(backend: type, method: str) -> bool:
    """Whether a call of the method can do anything but raise."""
    found: Any = getattr(backend, method, None)
    while hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    code = getattr(found, "__code__", None)
    if code is None:
        return found is not None
    return any(instruction.opname in _ENDS for instruction in dis.get_instructions(code))


def main(package: str) -> None:
    """Import, then print."""
    base, backends = PACKAGES[package]()
    names = methods(base)
    document = {name: {backend: works(its, name) for backend, its in backends.items()} for name in names}
    sys.stdout.write("\n" + json.dumps(document) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])

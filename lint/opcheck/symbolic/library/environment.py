"""What module-level code asks of the machine it runs on: modules, and environment variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..frame import Frame
from ..imports import load
from ..lift import lift
from ..values import Arguments, External, Unknown, Value
from .meaning import Meaning, undecided
from .objects import either

_SPEC: Final = "importlib.machinery.ModuleSpec()"


def _import_module(frame: Frame, arguments: Arguments) -> Value:
    """`importlib.import_module(name, package)`."""

    def one(values: list[Value]) -> Value:
        name, package = values
        if isinstance(name, str) and name.startswith(".") and isinstance(package, str):
            name = _relative(name, package)
        if not isinstance(name, str) or not name or name.startswith("."):
            return undecided(frame, "importlib.import_module", arguments)
        return load(frame, name)

    return lift(frame, [arguments.get(0, "name"), arguments.get(1, "package")], one)


def _relative(name: str, package: str) -> str:
    climb = len(name) - len(name.lstrip(".")) - 1
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - climb], *filter(None, [name.lstrip(".")])])


def _find_spec(frame: Frame, arguments: Arguments) -> Value:
    """`importlib.util.find_spec(name)`: what the project itself has is there."""
    name = arguments.get(0, "name")
    if not isinstance(name, str):
        return undecided(frame, "importlib.util.find_spec", arguments)
    frame.machine.external_modules.add(_SPEC)
    if frame.machine.layout.canonical(name) in frame.machine.layout.files:
        return External(_SPEC)
    return either(frame.machine.space.atom(f"installed:{name.split('.', 1)[0]}"), External(_SPEC), None)


def _variable(frame: Frame, arguments: Arguments) -> Value:
    """`os.environ.get(name, default)`: what is set is not known, and neither is whether it is."""

    def one(values: list[Value]) -> Value:
        name = values[0]
        if not isinstance(name, str):
            return undecided(frame, "os.environ.get", arguments)
        is_set = frame.machine.space.atom(f"env:{name}")
        return either(is_set, environment_item(name), arguments.get(1, "default"))

    return lift(frame, [arguments.get(0, "key")], one)


def environment_item(index: Value) -> Value:
    """`os.environ[name]`."""
    return Unknown(f"os.environ[{index!r}]")


MEANINGS: Final[Mapping[str, Meaning]] = {
    "importlib.import_module": _import_module,
    "importlib.util.find_spec": _find_spec,
    "os.environ.get": _variable,
    "os.getenv": _variable,
}

"""Dotted paths of a description: where what they name is defined, and what it is once that was evaluated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct, field

from ...summary.imports import Import
from ...symbolic.machine import Machine
from ...symbolic.modules import Layout, absolute
from ...symbolic.values import ClassValue, Instance, ModuleValue, Value

_MOST_STEPS = 16
_DEFINES = r"^(?:async[ \t]+def|def|class)[ \t]+{0}\b|^[ \t]*{0}[ \t]*(?::[^=\n]*)?=[^=]"


class Paths(Struct, frozen=True):
    """What a project's files say of where names come from, before any is evaluated; `known` are the answers so far."""

    layout: Layout
    imports_of: Callable[[str], Sequence[Import]]
    text_of: Callable[[str], str]
    known: dict[str, str] = field(default_factory=dict[str, str])

    def spelt(self, paths: Iterable[str]) -> list[str]:
        """Paths as they are written, and where what they name is defined."""
        return list(dict.fromkeys(p for path in paths for p in (path, self.defined(path))))

    def defined(self, path: str) -> str:
        """The path under which something is defined that may be re-exported under another, found once."""
        if path not in self.known:
            self.known[path] = self._followed(path)
        return self.known[path]

    def _followed(self, path: str) -> str:
        for _ in range(_MOST_STEPS):
            module, *names = self._split(path)
            further = next(self._taken_from(module, names[0]), None) if names and module else None
            if further is None:
                return ".".join([module, *names]) if module else path
            path = ".".join([further, *names[1:]])
        return path

    def _split(self, path: str) -> list[str]:
        """The module of the project that a path begins with, empty where there is none, and the names after it."""
        parts = path.split(".")
        for i in range(len(parts), 0, -1):
            module = self.layout.canonical(".".join(parts[:i]))
            if module in self.layout.files:
                return [module, *parts[i:]]
        return ["", *parts]

    def _taken_from(self, module: str, name: str) -> Iterator[str]:
        """What a name of a module is imported from."""
        for statement in self.imports_of(module):
            base = absolute(module, self.layout.is_package(module), statement.level, statement.module)
            for taken, bound in statement.names or () if base else ():
                if bound == name and f"{base}.{taken}" != f"{module}.{name}":
                    yield f"{base}.{taken}"
                elif taken == "*" and self._defines(self.layout.canonical(str(base)), name):
                    yield f"{base}.{name}"

    def _defines(self, module: str, name: str) -> bool:
        if module not in self.layout.files:
            return False
        defines = re.search(_DEFINES.format(re.escape(name)), self.text_of(module), re.MULTILINE) is not None
        return defines or next(self._taken_from(module, name), None) is not None


def found_at(machine: Machine, path: str) -> Value:
    """What a path has come to so far; None where it has come to nothing. Nothing is evaluated for it."""
    parts = path.split(".")
    for i in range(len(parts) - 1, 0, -1):
        module = machine.met.get(machine.layout.canonical(".".join(parts[:i])))
        if module is not None:
            return _inside(ModuleValue(module), parts[i:])
    return None


def _inside(value: Value, names: Sequence[str]) -> Value:
    for name in names:
        match value:
            case ModuleValue(module=module):
                held = module.namespace.names
            case Instance(scope=scope) | ClassValue(scope=scope):
                held = scope.names
            case _:
                return None
        value = held[name] if name in held and not held.is_deferred(name) else None
    return value

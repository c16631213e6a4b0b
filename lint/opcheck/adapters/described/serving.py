"""Which backend an object of a class is for: what its class is called, or an attribute says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from opcheck_rules.model.condition import Condition

from ...symbolic.classes import bind
from ...symbolic.frame import Frame
from ...symbolic.limits import BOUNDS
from ...symbolic.machine import Machine
from ...symbolic.scope import Scope, alternatives, covered, narrow
from ...symbolic.values import (
    Arguments,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Instance,
    Items,
    Unknown,
    Value,
)
from .description import PLACE, Classes, Description
from .names import backend_name
from .records import Name

Served: TypeAlias = list[tuple[Condition, Name]]


@dataclass(eq=False)
class Objects:
    """An object of each class that is asked about, made once, and the backends that it is for."""

    machine: Machine
    _made: dict[int, tuple[ClassValue, Instance]] = field(default_factory=dict[int, "tuple[ClassValue, Instance]"])
    _served: dict[tuple[int, int], Served] = field(default_factory=dict[tuple[int, int], Served])

    def of(self, cls: ClassValue) -> Instance:
        """The object of a class."""
        if id(cls) not in self._made:
            # The class is kept: an identity is one's own only for as long as one lives.
            self._made[id(cls)] = cls, _made_of(self.machine, cls)
        return self._made[id(cls)][1]

    def backends(self, description: Description, shape: Classes, cls: ClassValue) -> Served:
        """The backends that a class serves by a description, each where it does."""
        key = id(description), id(cls)
        if key not in self._served:
            self._served[key] = _backends_of(self.machine, self.of(cls), shape.backend, description.backends)
        return self._served[key]


def _made_of(machine: Machine, cls: ClassValue) -> Instance:
    """An object of a class, as far as its `__init__` can be followed: no argument is known, but for defaults."""
    scope = Scope(cls.scope.base, cls.qualname)
    made = Instance(cls, scope, is_open=True)
    frame = frame_of(machine, cls)
    initializer = next((c.scope.names["__init__"] for c in cls.mro() if "__init__" in c.scope.names), None)
    if isinstance(initializer, FunctionValue):
        machine.aside(lambda: machine.call(frame, initializer, Arguments([made], {}, ast.Pass())), None)
    return made


def frame_of(machine: Machine, cls: ClassValue) -> Frame:
    """A frame to evaluate what a class holds in."""
    frame = Frame(machine, cls.module, Scope(cls.scope.base, cls.qualname), cls.scope.base, hypothetical=True)
    frame.runner = cls.module.name
    return frame


def _backends_of(machine: Machine, made: Instance, said: str | Mapping[str, str], known: Iterable[str]) -> Served:
    """The backends that a class serves, each where it does: none where it is no backend's."""
    always, cls, known = machine.space.true, made.cls, list(known)
    if isinstance(said, Mapping):
        backend = said.get(cls.name) or said.get(cls.qualname)
        return [(always, Name(backend, backend))] if backend is not None else []
    if PLACE in said:
        backend = _by_pattern(said, cls.name, known)
        return [(always, Name(backend, backend))] if backend is not None else []
    frame = frame_of(machine, cls)

    def named() -> Served:
        return [name for value in attribute_of(frame, made, said) for name in _named(frame, *value, known)]

    return _without_doubt(machine.aside(named, []), always)


def _by_pattern(pattern: str, name: str, known: Iterable[str]) -> str | None:
    """The backend whose name stands in a class's, without regard to case or to what is no letter or digit."""
    head, _, tail = pattern.partition(PLACE)
    return next((b for b in known if _plain(f"{head}{b}{tail}") == _plain(name)), None)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def attribute_of(frame: Frame, made: Instance, name: str) -> Items:
    """What an attribute of an object comes to: what `__init__` sets where that is read, else what its class holds."""
    cls = made.cls
    own = alternatives(made.scope.names[name], frame.machine.space.true) if name in made.scope.names else []
    found = _held(frame, made, name)
    if own and (_is_text(own) or not _is_text(found)):
        return own
    if found:
        return found
    said = next((k.value for c in cls.mro() for k in (c.node.keywords if c.node else ()) if k.arg == name), None)
    if said is not None:
        return alternatives(frame.evaluate(said), frame.machine.space.true)
    return [(frame.machine.space.true, cls.name)] if name == "__name__" else []


def _is_text(found: Items) -> bool:
    return any(isinstance(value, str) for _, value in found)


def _held(frame: Frame, made: Instance, name: str) -> Items:
    """What the classes of an object hold under a name: each where those before it hold nothing."""
    found: Items = []
    left = frame.machine.space.true
    for value in [c.scope.names[name] for c in made.cls.mro() if name in c.scope.names]:
        there = left & covered(value, left)
        found += alternatives(_called(frame, made, narrow(value, there)), there) if not there.fails else []
        left = left & ~there
    return found


def _called(frame: Frame, made: Instance, value: Value) -> Value:
    """An attribute of a class as it is on an object; a method is called, as what it gives is what it says."""
    if not isinstance(value, FunctionValue):
        return value
    with suppress(*BOUNDS):
        bound = bind(frame, value, made, made.cls)
        callable_ = isinstance(bound, (BoundMethod, FunctionValue))
        return frame.machine.call(frame, bound, Arguments([], {}, ast.Pass())) if callable_ else bound
    return Unknown(value.qualname)


def _named(frame: Frame, condition: Condition, value: Value, known: list[str]) -> Served:
    """The backend that a value names: none for one that names no backend that is known."""
    if value is None:
        return []
    name = backend_name(frame, value, known)
    if name.full is None or name.full in known:
        return [(condition, name)]
    alike = next((backend for backend in known if _plain(backend) == _plain(str(name.full))), None)
    return [(condition, Name(alike, alike))] if alike is not None else []


def _without_doubt(named: Served, always: Condition) -> Served:
    """A single name is the class's whatever else may be: where it is not set, no object is made."""
    distinct = list(dict.fromkeys(name for _, name in named))
    return [(always, distinct[0])] if len(distinct) == 1 else named

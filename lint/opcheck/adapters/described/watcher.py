"""What is looked out for while a project is evaluated: the calls, classes and items that descriptions are about."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ...symbolic.classes import class_attribute
from ...symbolic.frame import Frame
from ...symbolic.machine import Machine
from ...symbolic.mentions import Meant
from ...symbolic.modules import Module, Turn
from ...symbolic.values import (
    SCALARS,
    Arguments,
    BoundMethod,
    Choice,
    ClassValue,
    DictValue,
    External,
    FunctionValue,
    Instance,
    Intrinsic,
    Unknown,
    Value,
)
from ..emitting import definition
from .arguments import signature_of
from .call import Call, applied
from .decorators import decorators
from .description import Argument, Attribute, Calls, Classes, Description, Items, Keywords, Modules
from .orders import EMPTY
from .paths import Paths, found_at
from .records import Derived
from .registering import Registering
from .serving import Objects
from .stubs import Stubs
from .tabulating import tabulate

_SINGLE: Final = "functools.singledispatch"


class Stored(Struct, frozen=True):
    """An item that was put into a dictionary, and what was known when it was."""

    target: DictValue
    key: Value
    value: Value
    runner: str
    path: Condition
    span: Span | None
    turn: Turn
    hypothetical: bool


@dataclass(eq=False)
class Described:
    """The descriptions that hold for a project, with the paths they name.

    `by_path` are those that give a call its meaning, `stored_items` what was put into dictionaries where some are
    tables. Functions that make tables of what they are given are `handing` it on. Descriptions that nothing was found
    for are `idle`.
    """

    descriptions: Sequence[Description]
    paths: Paths
    machine: Machine
    handing: set[str] = field(default_factory=set[str])
    idle: list[Description] = field(default_factory=list[Description])
    stubs: Stubs = field(init=False)
    objects: Objects = field(init=False)
    stored_items: list[Stored] = field(default_factory=list[Stored])

    def __post_init__(self) -> None:
        self.by_path: Mapping[str, list[Description]] = self._by_path()
        self.bases: list[tuple[Description, frozenset[str]]] = [
            (d, frozenset(self.paths.spelt(d.shape.base)))
            for d in self.descriptions
            if isinstance(d.shape, (Attribute, Classes))
        ]
        self._tables = self.paths.spelt(d.shape.table for d in self.descriptions if isinstance(d.shape, Items))
        self._objects = {*self._tables, *(path.rpartition(".")[0] for path in self.by_path)}
        self.stubs, self.objects = Stubs(self.machine), Objects(self.machine)
        self.machine.watcher = self

    def _by_path(self) -> Mapping[str, list[Description]]:
        found: dict[str, list[Description]] = {}
        for description in self.descriptions:
            if isinstance(description.shape, (Calls, Keywords)):
                for path in self.paths.spelt(description.shape.callables):
                    found.setdefault(path, []).append(description)
        return found

    @property
    def named_paths(self) -> list[str]:
        """Where everything is defined that descriptions name."""
        lists = (d.shape.ops for d in self.descriptions if isinstance(d.shape, Modules))
        named = [path for path in lists if isinstance(path, str) and "." in path]
        bases = (path for _, base in self.bases for path in sorted(base))
        return self.paths.spelt([*self.by_path, *bases, *self._tables, *named])

    def base_classes(self, description: Description) -> list[ClassValue]:
        """The classes that a description calls base, as far as they were read."""
        base = next(base for one, base in self.bases if one is description)
        return [cls for cls in self.machine.classes if cls.qualname in base]

    def may_hold(self, base: Value) -> bool:
        """Whether a class that was not read may have attributes: the described base is known to have none."""
        return not (
            isinstance(base, External) and (base.path in EMPTY or any(base.path in paths for _, paths in self.bases))
        )

    def meaning(self, callee: Value) -> Intrinsic | None:
        """What a call means that a description is about."""
        path = self._path_of(callee)
        return None if path is None else self._intrinsic(path, callee)

    def _path_of(self, callee: Value) -> str | None:
        """The path of a description that a callable is what it names."""
        return next((path for path in _paths_of(callee) if path in self.by_path), None) or self._same_as(callee)

    def attribute(self, base: Value, name: str) -> Intrinsic | None:
        """What a method means of an object that a description names."""
        if isinstance(base, (*SCALARS, tuple, ClassValue, Choice)):
            return None
        for path in self.by_path:
            owner, _, method = path.rpartition(".")
            if method == name and (found_at(self.machine, owner) is base or _is_made_by(base, owner)):
                held = class_attribute(base.cls, name) if isinstance(base, Instance) else None
                return self._intrinsic(path, BoundMethod(held, base) if isinstance(held, FunctionValue) else base)
        return None

    def means(self, module: Module, names: frozenset[str]) -> Meant | None:
        """What a function says that mentions some names of its module."""
        found = {self._meant(module, name) for name in names}
        return next((meant for meant in (Meant.ENCLOSED, Meant.REGISTERS) if meant in found), None)

    def _meant(self, module: Module, name: str) -> Meant | None:
        known = module.namespace.names
        origin = module.origins.get(name, f"{module.name}.{name}")
        path = origin if origin in self.by_path else None
        if path is None and name in known and not known.is_deferred(name):
            path = self._path_of(known[name])
        if path is None:
            # A method is told by its name alone: whose it is shows when it is called.
            path = next((p for p in self.by_path if p.rpartition(".")[2] == name), None)
        if path is None:
            return Meant.REGISTERS if any(p.rpartition(".")[2] == name for p in self._tables) else None
        return Meant.ENCLOSED if any(map(is_enclosed, self.by_path[path])) else Meant.REGISTERS

    def tells(self, value: Value) -> bool:
        """Whether a value is one that a description is about: who imports it may be declaring something."""
        if isinstance(value, ClassValue) and any(derives(value, base) for _, base in self.bases):
            return True
        return self.meaning(value) is not None or any(found_at(self.machine, path) is value for path in self._objects)

    def made(self, frame: Frame, cls: ClassValue, node: ast.expr | ast.stmt) -> None:
        """Put on record a class that derives from a described base."""
        for description, base in self.bases:
            is_base = cls.qualname in base and isinstance(description.shape, Attribute)
            if not is_base and derives(cls, base):
                frame.machine.emit(frame, Derived(description, cls), definition(cls) or frame.span(node))

    def stored(self, frame: Frame, target: DictValue, key: Value, value: Value, node: ast.expr | None) -> None:
        """Remember what is put into dictionaries: which of them is a table shows when all was evaluated."""
        if not self._tables:
            return
        span = frame.span(node) if node is not None else frame.machine.called_at or definition(value)
        item = Stored(target, key, value, frame.runner, frame.path, span, frame.machine.next_turn(), frame.hypothetical)
        self.stored_items.append(item)

    def _same_as(self, callee: Value) -> str | None:
        """The path whose value this very object is, as one that a function made may be."""
        if isinstance(callee, (*SCALARS, External)):
            return None
        return next((path for path in self.by_path if found_at(self.machine, path) is callee), None)

    def _intrinsic(self, path: str, callee: Value) -> Intrinsic:
        # Under a name that is no path: it is not to be given a meaning again.
        return Intrinsic(f"<{path}>", lambda frame, arguments: self._call(frame, path, callee, arguments))

    def _call(self, frame: Frame, path: str, callee: Value, arguments: Arguments) -> Value:
        shapes = [(description, description.shape) for description in self.by_path[path]]
        for description, shape in [(d, s) for d, s in shapes if isinstance(s, Keywords)]:
            self.handing.update(tabulate(frame, callee, arguments, description, shape))
        result: Value = Unknown(frame.machine.describe_call(path, arguments))
        calls = [(d, Call(s, arguments, signature_of(callee))) for d, s in shapes if isinstance(s, Calls)]
        for description, call in calls:
            registering = Registering(description, callee, call)
            result = _together(result, applied(frame, call, f"<{path}(...)>", registering.register))
        return result


def _together(one: Value, other: Value) -> Value:
    """What several tables make of one call: one decorator for each that is still to decorate."""
    if not isinstance(one, Intrinsic) or not isinstance(other, Intrinsic):
        return other
    return Intrinsic(one.name, lambda frame, inner: (one.call(frame, inner), other.call(frame, inner))[1])


def is_enclosed(description: Description) -> bool:
    """Whether a table of keywords is named after what is around it, rather than by what it is called with."""
    return isinstance(description.shape, Keywords) and not isinstance(description.shape.op, Argument)


def _is_made_by(base: Value, owner: str) -> bool:
    """Whether an object comes from a call of a class that was not read, or is a function that is one of its objects."""
    if isinstance(base, FunctionValue):
        return owner == _SINGLE and _SINGLE.rpartition(".")[2] in decorators(base.node)
    return isinstance(base, Unknown) and base.text.startswith(f"{owner}(")


def _paths_of(callee: Value) -> list[str]:
    match callee:
        case FunctionValue(qualname=path) | External(path=path) | Intrinsic(name=path):
            return [path]
        case BoundMethod(function=function):
            return [function.qualname]
        case ClassValue():
            return [cls.qualname for cls in callee.mro()] + _unread_bases(callee)
        case _:
            return []


def derives(cls: ClassValue, paths: frozenset[str]) -> bool:
    """Whether one of these is among the bases of a class, read or not."""
    return not paths.isdisjoint(_paths_of(cls))


def _unread_bases(cls: ClassValue) -> list[str]:
    return [base.path for c in cls.mro() for value in c.bases for base in _each(value) if isinstance(base, External)]


def _each(value: Value) -> Iterable[Value]:
    return [v for _, v in value.alternatives] if isinstance(value, Choice) else [value]

"""Classes of the project: made, instantiated, and looked up in."""

from __future__ import annotations

import ast
from typing import Final

from .containers import ENUMS
from .frame import Frame
from .functions import call_function
from .scope import Scope, narrow
from .values import (
    Arguments,
    BoundMethod,
    ClassValue,
    EnumMember,
    External,
    FunctionValue,
    Instance,
    Intrinsic,
    Unknown,
    Value,
)

_HOOK: Final = "__init_subclass__"
_RECORDS: Final = ("typing.NamedTuple",)
_MIXED: Final = ("enum.IntEnum", "enum.StrEnum", "enum.IntFlag")
_PLAIN_TYPES: Final = frozenset({"str", "int", "float"})
_DATACLASS: Final = ("dataclasses.dataclass", "dataclass", "attr.s", "attrs.define", "attr.define", "attrs.frozen")


def make_class(frame: Frame, node: ast.ClassDef) -> ClassValue:
    """The class a definition makes; its body is evaluated now."""
    owner = frame.owner or frame.module.name
    scope = Scope(frame.path, f"{owner}.{node.name}", frame.scope, is_class=True)
    bases = tuple(narrow(frame.evaluate(b), frame.path) for b in node.bases if not isinstance(b, ast.Starred))
    cls = ClassValue(node.name, f"{owner}.{node.name}", frame.module, bases, scope, node=node)
    inner = Frame(frame.machine, frame.module, scope, frame.path, frame.called, frame.attempt, frame.hypothetical)
    inner.depth, inner.owner, inner.most_atoms, inner.runner = frame.depth, cls.qualname, frame.most_atoms, frame.runner
    frame.machine.execute(inner, node.body)
    if cls.derives_from(*ENUMS):
        _make_members(cls)
    if cls.derives_from(*_RECORDS) or any(_is_dataclass(frame, d) for d in node.decorator_list):
        cls.fields = _fields(cls)
    given = [(k.arg, k.value) for k in node.keywords if k.arg != "metaclass"]
    enter(frame, cls, {name: frame.evaluate(value) for name, value in given if name is not None}, node)
    return cls


def enter(frame: Frame, cls: ClassValue, keywords: dict[str, Value], node: ast.expr | ast.stmt) -> None:
    """Let it be known that a class was made: a base may have something to do with each that derives from it."""
    frame.machine.classes.append(cls)
    if frame.machine.watcher is not None:
        frame.machine.watcher.made(frame, cls, node)
    hook = next((c.scope.names[_HOOK] for c in cls.mro()[1:] if _HOOK in c.scope.names), None)
    if isinstance(hook, FunctionValue):
        frame.machine.call(frame, hook, Arguments([cls], keywords, node))


def _make_members(cls: ClassValue) -> None:
    bases = [b.name for c in cls.mro() for b in c.bases if isinstance(b, Intrinsic)]
    is_mixed = cls.derives_from(*_MIXED) or not _PLAIN_TYPES.isdisjoint(bases)
    for name, value in cls.scope.names.items():
        if not name.startswith("_") and not isinstance(value, (FunctionValue, ClassValue, EnumMember)):
            cls.scope.names[name] = EnumMember(cls.qualname, name, value, is_mixed)


def _is_dataclass(frame: Frame, decorator: ast.expr) -> bool:
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    value = frame.evaluate(node)
    return isinstance(value, External) and value.path in _DATACLASS


def _fields(cls: ClassValue) -> tuple[str, ...]:
    inherited = [f for base in cls.bases if isinstance(base, ClassValue) for f in base.fields]
    body = cls.node.body if cls.node else []
    own = [s.target.id for s in body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
    return tuple(dict.fromkeys([*inherited, *own]))


def instantiate(frame: Frame, cls: ClassValue, arguments: Arguments) -> Value:
    """An object of the class: its `__init__` is evaluated, or its fields are filled."""
    if cls.derives_from(*ENUMS):
        return _member_by_value(cls, arguments) or Unknown(frame.machine.describe_call(cls.qualname, arguments))
    instance = Instance(cls, Scope(frame.path, cls.qualname), is_open=not cls.is_closed)
    initializer = class_attribute(cls, "__init__")
    if isinstance(initializer, FunctionValue):
        call_function(frame, initializer, _with_receiver(arguments, instance))
    elif cls.fields:
        _fill_fields(frame, instance, arguments)
    return instance


def _member_by_value(cls: ClassValue, arguments: Arguments) -> Value:
    wanted = arguments.get(0, "value")
    members = [v for v in cls.scope.names.values() if isinstance(v, EnumMember)]
    return next((m for m in members if m is wanted or (m.value == wanted and type(m.value) is type(wanted))), None)


def _fill_fields(frame: Frame, instance: Instance, arguments: Arguments) -> None:
    for i, name in enumerate(instance.cls.fields):
        given = i < len(arguments.positional) or name in arguments.keywords
        default = class_attribute(instance.cls, name)
        unset = Unknown(f"{instance.cls.qualname}.{name}") if default is None else default
        instance.scope.names[name] = arguments.get(i, name) if given else unset
    post = class_attribute(instance.cls, "__post_init__")
    if isinstance(post, FunctionValue):
        call_function(frame, post, Arguments([instance], {}, arguments.node))


def _with_receiver(arguments: Arguments, receiver: Value) -> Arguments:
    nodes: dict[int | str, ast.expr] = {k + 1 if isinstance(k, int) else k: n for k, n in arguments.nodes.items()}
    return Arguments([receiver, *arguments.positional], arguments.keywords, arguments.node, nodes, arguments.is_open)


def class_attribute(cls: ClassValue, name: str) -> Value:
    """What the class or a base of it holds under `name`; None (which no class needs to hold) where it is not found."""
    for owner in cls.mro():
        if name in owner.scope.names:
            return owner.scope.names[name]
    return None


def class_after(frame: Frame, cls: ClassValue, scope: Scope) -> ClassValue | None:
    """The class as `super()` has it in a method of the class with this scope: what comes after that one."""
    order = cls.mro()
    place = next((i for i, c in enumerate(order) if c.scope is scope), None)
    if place is None:
        return None
    owner, rest = order[place], (*order[place + 1 :], *(b for c in order for b in c.bases if b not in order))
    return ClassValue(cls.name, cls.qualname, owner.module, rest, Scope(frame.path, owner.qualname))


def instance_attribute(frame: Frame, instance: Instance, name: str) -> Value | None:
    """An attribute of an object: its own, then its class's, bound to it. None where it has none that was read."""
    if name in instance.scope.names:
        return narrow(instance.scope.names[name], frame.path)
    if name == "__class__":
        return instance.cls
    holder = next((c for c in instance.cls.mro() if name in c.scope.names), None)
    if holder is None:
        return None
    return bind(frame, narrow(holder.scope.names[name], frame.path), instance, instance.cls)


def bind(frame: Frame, value: Value, receiver: Value, cls: ClassValue) -> Value:
    """What looking a class's attribute up on an object, or on the class, gives."""
    if not isinstance(value, FunctionValue):
        return value
    if value.kind == "staticmethod":
        return value
    if value.kind == "classmethod":
        return BoundMethod(value, cls)
    if not isinstance(receiver, Instance):
        return value
    if value.kind == "property":
        return call_function(frame, value, Arguments([receiver], {}, value.node))
    return BoundMethod(value, receiver)


def call_method(frame: Frame, method: BoundMethod, arguments: Arguments) -> Value:
    """Call a bound method."""
    return call_function(frame, method.function, _with_receiver(arguments, method.receiver))

"""Builtins that ask and change what an object has, and what it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from opcheck_rules.model.condition import Condition

from ..assignment import set_attribute
from ..attributes import MissingAttribute, find_attribute
from ..classes import class_after, enter
from ..frame import Frame
from ..lift import lift
from ..scope import Scope, covered, join
from ..truth import as_value, truth
from ..values import (
    SCALARS,
    Arguments,
    ClassValue,
    DictValue,
    External,
    FunctionValue,
    Handle,
    Instance,
    Intrinsic,
    ListValue,
    ModuleValue,
    Partial,
    Unknown,
    Value,
    is_tuple,
)
from .meaning import Meaning, undecided


def _getattr(frame: Frame, arguments: Arguments) -> Value:
    name = arguments.get(1, "name")
    if not isinstance(name, str):
        return undecided(frame, "getattr", arguments)
    return lift(frame, [arguments.get(0, "object")], lambda values: _get(frame, values[0], name, arguments))


def _get(frame: Frame, base: Value, name: str, arguments: Arguments) -> Value:
    """An attribute; the default, where one is given, in the worlds where it is not there."""
    found = find_attribute(frame, base, name, arguments.node)
    known: Value = Unknown(f"{frame.machine.describe(base)}.{name}") if isinstance(found, MissingAttribute) else found
    if len(arguments.positional) < 3:
        return known
    present = _presence(frame, base, name, found)
    return either(present, known, arguments.positional[2])


def either(condition: Condition, found: Value, default: Value) -> Value:
    """`found` where a condition holds, and the default elsewhere."""
    return join([(~condition, default), (condition, found)], lambda: "one of too many values")


def _hasattr(frame: Frame, arguments: Arguments) -> Value:
    name = arguments.get(1, "name")
    if not isinstance(name, str):
        return undecided(frame, "hasattr", arguments)

    def one(values: list[Value]) -> Value:
        found = find_attribute(frame, values[0], name, arguments.node)
        return as_value(_presence(frame, values[0], name, found))

    return lift(frame, [arguments.get(0, "obj")], one)


def _presence(frame: Frame, base: Value, name: str, found: Value | MissingAttribute) -> Condition:
    """The condition under which an object has an attribute."""
    space = frame.machine.space
    match base:
        case Handle():
            return truth(frame, base.has(frame, name))
        case _ if isinstance(found, MissingAttribute):
            return space.false
        case ModuleValue(module=module) if name in module.scope.names:
            return covered(module.scope.names[name], space.true)
        case Instance(scope=scope) | ClassValue(scope=scope) if name in scope.names:
            return covered(scope.names[name], scope.base)
        case _ if isinstance(base, (External, Unknown)) or isinstance(found, Unknown):
            return space.atom(f"hasattr({frame.machine.describe(base)}, {name!r})")
        case _:
            return space.true


def _setattr(frame: Frame, arguments: Arguments) -> Value:
    name = arguments.get(1, "name")
    if isinstance(name, str):
        set_attribute(arguments.get(0, "obj"), name, arguments.get(2, "value"), frame.path)
    return None


_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "str": (str,),
    "int": (int,),
    "float": (float,),
    "bool": (bool,),
    "bytes": (bytes,),
    "tuple": (tuple,),
    "dict": (DictValue,),
}
_KINDS: Final = frozenset({"list", "set", "tuple"})
_CALLABLES: Final = frozenset({"collections.abc.Callable", "typing.Callable"})


def _isinstance(frame: Frame, arguments: Arguments) -> Value:
    kinds = arguments.get(1, "class_or_tuple")
    listed = kinds if is_tuple(kinds) else (kinds,)

    def one(values: list[Value]) -> Value:
        answers = [_is_instance(values[0], kind) for kind in listed]
        if True in answers:
            return True
        asked = Arguments([values[0], kinds], {}, arguments.node)
        return undecided(frame, "isinstance", asked) if None in answers else False

    return lift(frame, [arguments.get(0, "obj")], one)


def _is_instance(value: Value, kind: Value) -> bool | None:
    """Whether a value is of a class; None where that is not known."""
    if isinstance(value, (Unknown, External, Handle)) or (isinstance(value, Instance) and not value.cls.is_closed):
        return None
    if isinstance(kind, ClassValue):
        return isinstance(value, Instance) and kind in value.cls.mro()
    name = kind.name if isinstance(kind, Intrinsic) else kind.path if isinstance(kind, External) else ""
    if isinstance(value, ListValue):
        return value.kind == name if name in _KINDS or name in _TYPES else None
    if name in _TYPES or name in _KINDS:
        return isinstance(value, _TYPES.get(name, ()))
    return isinstance(value, (FunctionValue, Partial)) if name in _CALLABLES else None


def _callable(frame: Frame, arguments: Arguments) -> Value:
    value = arguments.get(0, "obj")
    if isinstance(value, (FunctionValue, ClassValue, Intrinsic, Partial)):
        return True
    if isinstance(value, (*SCALARS, tuple, ListValue, DictValue)):
        return False
    return undecided(frame, "callable", arguments)


def _type(frame: Frame, arguments: Arguments) -> Value:
    """`type(object)`, and `type(name, bases, namespace)`, which makes a class."""
    if len(arguments.positional) == 3:
        return _made_class(frame, arguments)
    value = arguments.get(0, "object")
    return value.cls if isinstance(value, Instance) else undecided(frame, "type", arguments)


def _made_class(frame: Frame, arguments: Arguments) -> Value:
    name, bases, namespace = arguments.positional
    if not isinstance(name, str) or not is_tuple(bases) or not isinstance(namespace, DictValue):
        return undecided(frame, "type", arguments)
    path = f"{frame.owner or frame.module.name}.{name}"
    scope = Scope(frame.path, path, is_class=True, is_open=namespace.is_open)
    scope.names.update({key: value for key, value in namespace.items.items() if isinstance(key, str)})
    cls = ClassValue(name, path, frame.module, bases, scope)
    enter(frame, cls, arguments.keywords, arguments.node)
    return cls


def _super(frame: Frame, arguments: Arguments) -> Value:
    """`super()` in a method: the object, with attributes looked up past the class of the method, or one given."""
    receiver, given = next(iter(frame.scope.names.values()), None), arguments.get(0, "type")
    if isinstance(receiver, Instance) and frame.called is not None:
        past = given.scope if isinstance(given, ClassValue) else frame.called.scope
        rest = class_after(frame, receiver.cls, past)
        if rest is not None:
            return Instance(rest, receiver.scope, receiver.is_open)
    return undecided(frame, "super", arguments)


MEANINGS: Final[Mapping[str, Meaning]] = {
    "builtins.getattr": _getattr,
    "builtins.hasattr": _hasattr,
    "builtins.setattr": _setattr,
    "builtins.isinstance": _isinstance,
    "builtins.callable": _callable,
    "builtins.type": _type,
    "builtins.super": _super,
}

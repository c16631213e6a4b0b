"""Attribute lookup on every kind of value."""

from __future__ import annotations

import ast

from .classes import bind, call_method, class_attribute, instance_attribute
from .dicts import dict_method
from .frame import Frame
from .functions import call_function
from .imports import import_name
from .lists import list_method
from .scope import narrow
from .strings import string_method
from .values import (
    Arguments,
    BoundMethod,
    ClassValue,
    DictValue,
    EnumMember,
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
)
from .versions import external


class MissingAttribute:
    """The answer where an object certainly has no such attribute."""


MISSING = MissingAttribute()


def attribute(frame: Frame, base: Value, name: str, node: ast.expr | ast.stmt) -> Value:
    """`base.name` for an unguarded base; unknown, and named after it, where it is not known to be there."""
    found = find_attribute(frame, base, name, node)
    return Unknown(f"{frame.machine.describe(base)}.{name}") if isinstance(found, MissingAttribute) else found


def find_attribute(frame: Frame, base: Value, name: str, node: ast.expr | ast.stmt) -> Value | MissingAttribute:
    """`base.name`, or `MISSING` where the object is read in full and has none."""
    meant = frame.machine.watcher.attribute(base, name) if frame.machine.watcher is not None else None
    if meant is not None:
        return meant
    match base:
        case External(path=path):
            return _external_attribute(frame, f"{path}.{name}")
        case ModuleValue():
            return _module_attribute(frame, base, name)
        case Instance():
            return _instance_attribute(frame, base, name, node)
        case ClassValue():
            return _class_attribute(frame, base, name)
        case Handle():
            return base.attribute(frame, name)
        case FunctionValue() | BoundMethod():
            return _function_attribute(base, name)
        case _:
            return _builtin_attribute(frame, base, name)


def _external_attribute(frame: Frame, path: str) -> Value:
    """An attribute of what is not read; below a folder of the project it may be a module that is.

    An API whose attributes may be missing says so by a `__getattr__`, under the first two names of its path.
    """
    getter = frame.machine.intrinsics.get(f"{'.'.join(path.split('.', 2)[:2])}.__getattr__")
    if getter is not None:
        getter.call(frame, Arguments([path], {}, ast.Pass()))
    canonical = frame.machine.layout.canonical(path)
    if path in frame.machine.intrinsics or canonical not in frame.machine.layout.files:
        return external(path)
    return ModuleValue(frame.machine.load_module(canonical))


def _builtin_attribute(frame: Frame, base: Value, name: str) -> Value:
    match base:
        case str():
            return string_method(base, name)
        case ListValue():
            return list_method(base, name)
        case DictValue():
            return dict_method(base, name)
        case EnumMember():
            return {"name": base.name, "value": base.value}.get(name, Unknown(f"{frame.machine.describe(base)}.{name}"))
        case Intrinsic(name=text) if f"builtins.{text}.{name}" in frame.machine.intrinsics:
            return frame.machine.intrinsics[f"builtins.{text}.{name}"]
        case Partial():
            return {"func": base.function, "args": base.positional}.get(name, Unknown(f"partial.{name}"))
        case _:
            return Unknown(f"{frame.machine.describe(base)}.{name}")


def _module_attribute(frame: Frame, base: ModuleValue, name: str) -> Value | MissingAttribute:
    module = base.module
    path = f"{module.name}.{name}"
    if path in frame.machine.intrinsics:
        return External(path)
    if name in module.scope.names:
        return narrow(module.scope.names[name], frame.path)
    if frame.machine.layout.canonical(path) in frame.machine.layout.files:
        return import_name(frame, module.name, base, name)
    getter = module.scope.names.get("__getattr__")
    if isinstance(getter, FunctionValue):
        return call_function(frame, getter, Arguments([name], {}, getter.node))
    # A module in progress (a cycle), or one filled by code that is not read, may well have it.
    return MISSING if module.state == "done" and not module.scope.is_open else Unknown(path)


def _instance_attribute(frame: Frame, base: Instance, name: str, node: ast.expr | ast.stmt) -> Value | MissingAttribute:
    found = instance_attribute(frame, base, name)
    if found is not None or _has(base, name):
        return found
    getter = class_attribute(base.cls, "__getattr__")
    if isinstance(getter, FunctionValue):
        return call_method(frame, BoundMethod(getter, base), Arguments([name], {}, node))
    return Unknown(f"{base.cls.qualname}.{name}") if base.is_open else MISSING


def _has(base: Instance, name: str) -> bool:
    """Whether an attribute that reads as None is really there."""
    return name in base.scope.names or any(name in c.scope.names for c in base.cls.mro())


def _class_attribute(frame: Frame, base: ClassValue, name: str) -> Value | MissingAttribute:
    named: dict[str, Value] = {"__name__": base.name, "__qualname__": base.name, "__module__": base.module.name}
    if name in named:
        return named[name]
    if name == "__members__":
        return DictValue({k: v for k, v in base.scope.names.items() if isinstance(v, EnumMember)})
    holder = next((c for c in base.mro() if name in c.scope.names), None)
    if holder is None:
        return MISSING if base.is_closed else Unknown(f"{base.qualname}.{name}")
    return bind(frame, narrow(holder.scope.names[name], frame.path), base, base)


def _function_attribute(base: FunctionValue | BoundMethod, name: str) -> Value:
    function = base.function if isinstance(base, BoundMethod) else base
    if name in function.attributes:
        return function.attributes[name]
    if name == "__self__" and isinstance(base, BoundMethod):
        return base.receiver
    short = function.qualname.removeprefix(f"{function.module.name}.")
    named: dict[str, Value] = {"__name__": function.name, "__qualname__": short, "__module__": function.module.name}
    if name in ("__wrapped__", "__func__"):
        return function
    if name == "register":
        # functools.singledispatch keeps its function; what is registered with it is no concern here.
        return Intrinsic(f"{function.qualname}.register", lambda _, arguments: arguments.get(0, "cls"))
    return named.get(name, Unknown(f"{function.qualname}.{name}"))

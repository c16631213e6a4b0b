"""The parts of Python's own library that module-level code is written with."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, Final

from .assignment import set_attribute
from .attributes import MissingAttribute, find_attribute
from .containers import Items, compute, iterate
from .frame import Frame
from .imports import load
from .lift import lift
from .limits import MOST_ROUNDS
from .scope import covered
from .truth import as_value, truth
from .values import (
    SCALARS,
    Arguments,
    Choice,
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
)

Meaning = Callable[[Frame, Arguments], Value]


def standard_library() -> Mapping[str, Intrinsic]:
    """What opcheck knows of builtins and of the standard library, by dotted path."""
    return {path: Intrinsic(path.removeprefix("builtins."), meaning) for path, meaning in _MEANINGS.items()}


def undecided(frame: Frame, name: str, arguments: Arguments) -> Unknown:
    """The call as an unknown value."""
    return Unknown(frame.machine.describe_call(name, arguments))


def _length(frame: Frame, arguments: Arguments) -> Value:
    value = arguments.get(0, "obj")
    items = iterate(frame, value)
    if items is None or not all(c.holds for c, _ in items):
        return undecided(frame, "len", arguments)
    return len(items)


def _range(frame: Frame, arguments: Arguments) -> Value:
    bounds = arguments.positional
    if not bounds or not all(isinstance(b, int) for b in bounds):
        return undecided(frame, "range", arguments)

    def numbers() -> Any:
        counted = range(*bounds)  # type: ignore[arg-type]
        return tuple(counted) if len(counted) <= MOST_ROUNDS else None

    return compute(numbers, lambda: undecided(frame, "range", arguments)) or ()


def _enumerate(frame: Frame, arguments: Arguments) -> Value:
    items, start = iterate(frame, arguments.get(0, "iterable")), arguments.get(1, "start", 0)
    if items is None or not isinstance(start, int):
        return undecided(frame, "enumerate", arguments)
    return ListValue([(c, (i, v)) for i, (c, v) in enumerate(items, start)])


def _zip(frame: Frame, arguments: Arguments) -> Value:
    columns = [iterate(frame, v) for v in arguments.positional]
    if any(c is None for c in columns):
        return undecided(frame, "zip", arguments)
    space = frame.machine.space
    rows = zip(*(c or [] for c in columns), strict=False)
    made: Items = [(space.all(c for c, _ in row), tuple(v for _, v in row)) for row in rows]
    return ListValue(made)


def _product(frame: Frame, arguments: Arguments) -> Value:
    columns = [iterate(frame, v) for v in arguments.positional]
    if any(c is None for c in columns):
        return undecided(frame, "itertools.product", arguments)
    space = frame.machine.space
    rows = list(itertools.islice(itertools.product(*(c or [] for c in columns)), MOST_ROUNDS + 1))
    made: Items = [(space.all(c for c, _ in row), tuple(v for _, v in row)) for row in rows]
    return ListValue(made[:MOST_ROUNDS], is_open=len(rows) > MOST_ROUNDS)


def _chain(frame: Frame, arguments: Arguments) -> Value:
    columns = [iterate(frame, v) for v in arguments.positional]
    return ListValue([i for c in columns for i in c or []], is_open=any(c is None for c in columns))


def _collect(kind: str) -> Meaning:
    def collect(frame: Frame, arguments: Arguments) -> Value:
        if not arguments.positional:
            return ListValue([], kind)
        items = iterate(frame, arguments.positional[0])
        return ListValue(list(items or []), kind, is_open=items is None)

    return collect


def _tuple(frame: Frame, arguments: Arguments) -> Value:
    items = iterate(frame, arguments.get(0, "iterable", ()))
    if items is None:
        return undecided(frame, "tuple", arguments)
    certain = all(frame.path.implies(c) for c, _ in items)
    return tuple(v for _, v in items) if certain else ListValue(list(items))


def _sorted(frame: Frame, arguments: Arguments) -> Value:
    items = iterate(frame, arguments.get(0, "iterable"))
    if items is None:
        return ListValue([], is_open=True)
    texts = [(v, c) for c, v in items if isinstance(v, str)]
    if len(texts) < len(items) or arguments.keywords:
        return ListValue(list(items))
    return ListValue([(c, v) for v, c in sorted(texts, key=lambda pair: pair[0])])


def _reversed(frame: Frame, arguments: Arguments) -> Value:
    items = iterate(frame, arguments.get(0, "sequence"))
    return ListValue(list(items or [])[::-1], is_open=items is None)


def _dict(frame: Frame, arguments: Arguments) -> Value:
    made = DictValue({})
    for source in arguments.positional[:1]:
        pairs = None if isinstance(source, DictValue) else iterate(frame, source)
        if isinstance(source, DictValue):
            made = DictValue(dict(source.items), source.is_open)
        elif pairs is not None and all(isinstance(p, tuple) and len(p) == 2 for _, p in pairs):
            made.items |= {frame.machine.hashable(p[0]): p[1] for _, p in pairs if isinstance(p, tuple)}
        else:
            made.is_open = True
    made.items |= dict[Value, Value](arguments.keywords)
    made.is_open |= arguments.is_open
    return made


def _convert(kind: Callable[..., Any], name: str) -> Meaning:
    def convert(frame: Frame, arguments: Arguments) -> Value:
        given = arguments.positional

        def one(values: list[Value]) -> Value:
            if name in ("str", "repr") and not all(isinstance(v, SCALARS) for v in values):
                return Unknown(frame.machine.describe(values[0])) if values else ""
            if not all(isinstance(v, (*SCALARS, tuple)) for v in values):
                return undecided(frame, name, arguments)
            return compute(lambda: kind(*values), lambda: undecided(frame, name, arguments))

        return lift(frame, given, one)

    return convert


def _bool(frame: Frame, arguments: Arguments) -> Value:
    return as_value(truth(frame, arguments.get(0, "object", False)))


def _any(frame: Frame, arguments: Arguments) -> Value:
    items = iterate(frame, arguments.get(0, "iterable"))
    if items is None:
        return undecided(frame, "any", arguments)
    return as_value(frame.machine.space.any(c & truth(frame, v) for c, v in items))


def _all(frame: Frame, arguments: Arguments) -> Value:
    items = iterate(frame, arguments.get(0, "iterable"))
    if items is None:
        return undecided(frame, "all", arguments)
    return as_value(frame.machine.space.all(~c | truth(frame, v) for c, v in items))


def _map(frame: Frame, arguments: Arguments) -> Value:
    items = iterate(frame, arguments.get(1, "iterable"))
    if items is None or len(arguments.positional) != 2:
        return undecided(frame, "map", arguments)
    made: list[Any] = []
    before = frame.path
    for condition, value in items:
        frame.path = before & condition
        made.append(
            (condition, frame.machine.call(frame, arguments.positional[0], Arguments([value], {}, arguments.node)))
        )
    frame.path = frame.unhandled(before)
    return ListValue(made)


def _getattr(frame: Frame, arguments: Arguments) -> Value:
    name = arguments.get(1, "name")
    if not isinstance(name, str):
        return undecided(frame, "getattr", arguments)
    has_default = len(arguments.positional) > 2

    def one(values: list[Value]) -> Value:
        base = values[0]
        found = find_attribute(frame, base, name, arguments.node)
        if isinstance(found, MissingAttribute):
            return arguments.get(2, "default") if has_default else Unknown(f"{frame.machine.describe(base)}.{name}")
        if not has_default:
            return found
        present = presence(frame, base, name, found)
        return found if present.holds else _either(present, found, arguments.get(2, "default"))

    return lift(frame, [arguments.get(0, "object")], one)


def _either(condition: Any, found: Value, default: Value) -> Value:
    return Choice(((~condition, default), (condition, found)))


def _hasattr(frame: Frame, arguments: Arguments) -> Value:
    name = arguments.get(1, "name")
    if not isinstance(name, str):
        return undecided(frame, "hasattr", arguments)

    def one(values: list[Value]) -> Value:
        found = find_attribute(frame, values[0], name, arguments.node)
        return as_value(presence(frame, values[0], name, found))

    return lift(frame, [arguments.get(0, "obj")], one)


def presence(frame: Frame, base: Value, name: str, found: Value | MissingAttribute) -> Any:
    """The condition under which an object has an attribute."""
    space = frame.machine.space
    match base:
        case _ if isinstance(found, MissingAttribute):
            return space.false
        case External() | Unknown():
            return space.atom(f"hasattr({frame.machine.describe(base)}, {name!r})")
        case Handle():
            return truth(frame, base.has(frame, name))
        case ModuleValue(module=module) if name in module.scope.names:
            return covered(module.scope.names[name], space.true)
        case Instance(scope=scope) | ClassValue(scope=scope) if name in scope.names:
            return covered(scope.names[name], scope.base)
        case _ if isinstance(found, Unknown):
            return space.atom(f"hasattr({frame.machine.describe(base)}, {name!r})")
        case _:
            return space.true


def _setattr(frame: Frame, arguments: Arguments) -> Value:
    name = arguments.get(1, "name")
    if isinstance(name, str):
        set_attribute(arguments.get(0, "obj"), name, arguments.get(2, "value"), frame.path)
    return None


_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "str": (str,),
    "int": (int,),
    "float": (float,),
    "bool": (bool,),
    "bytes": (bytes,),
    "tuple": (tuple,),
    "dict": (DictValue,),
    "list": (ListValue,),
    "set": (ListValue,),
}


def _isinstance(frame: Frame, arguments: Arguments) -> Value:
    kinds = arguments.get(1, "class_or_tuple")
    listed = list(kinds) if isinstance(kinds, tuple) else [kinds]

    def one(values: list[Value]) -> Value:
        answers = [_is_instance(values[0], kind) for kind in listed]
        if True in answers:
            return True
        lifted = Arguments([values[0], kinds], {}, arguments.node)
        return undecided(frame, "isinstance", lifted) if None in answers else False

    return lift(frame, [arguments.get(0, "obj")], one)


def _is_instance(value: Value, kind: Value) -> bool | None:
    """Whether a value is of a class; None where that is not known."""
    if isinstance(value, (Unknown, External, Handle)) or (isinstance(value, Instance) and not value.cls.is_closed):
        return None
    if isinstance(kind, ClassValue):
        return isinstance(value, Instance) and kind in value.cls.mro()
    name = kind.name if isinstance(kind, Intrinsic) else kind.path if isinstance(kind, External) else ""
    if name not in _TYPES:
        return isinstance(value, FunctionValue) if name in ("collections.abc.Callable", "typing.Callable") else None
    return isinstance(value, _TYPES[name]) and not (name in ("list", "set") and getattr(value, "kind", name) != name)


def _callable(frame: Frame, arguments: Arguments) -> Value:
    value = arguments.get(0, "obj")
    if isinstance(value, (FunctionValue, ClassValue, Intrinsic, Partial)):
        return True
    return (
        False if isinstance(value, (*SCALARS, tuple, ListValue, DictValue)) else undecided(frame, "callable", arguments)
    )


def _type(frame: Frame, arguments: Arguments) -> Value:
    value = arguments.get(0, "object")
    return value.cls if isinstance(value, Instance) else undecided(frame, "type", arguments)


def _super(frame: Frame, arguments: Arguments) -> Value:
    """`super()` in a method: the object, with attributes looked up past the class the method stands in."""
    receiver = next(iter(frame.scope.names.values()), None)
    called = frame.called
    if isinstance(receiver, Instance) and called is not None and called.scope.is_class:
        owner = next((c for c in receiver.cls.mro() if c.scope is called.scope), None)
        if owner is not None:
            rest = ClassValue(
                receiver.cls.name, receiver.cls.qualname, owner.module, owner.bases, type(called.scope)(frame.path, "")
            )
            return Instance(rest, receiver.scope, receiver.is_open)
    return undecided(frame, "super", arguments)


def _partial(frame: Frame, arguments: Arguments) -> Value:
    return (
        Partial(arguments.positional[0], tuple(arguments.positional[1:]), arguments.keywords)
        if arguments.positional
        else None
    )


def _keep(_: Frame, arguments: Arguments) -> Value:
    """A decorator that gives its function back, called with it or with options first."""
    if arguments.positional and isinstance(arguments.positional[0], (FunctionValue, ClassValue)):
        return arguments.positional[0]
    return Intrinsic("decorator", _keep)


def _wraps(_: Frame, arguments: Arguments) -> Value:
    wrapped = arguments.get(0, "wrapped")

    def decorate(_: Frame, inner: Arguments) -> Value:
        function = inner.get(0, "wrapper")
        if isinstance(function, FunctionValue) and isinstance(wrapped, FunctionValue):
            function.name = wrapped.name
            function.attributes = {**wrapped.attributes, **function.attributes}
        return function

    return Intrinsic("functools.wraps(...)", decorate)


def _import_module(frame: Frame, arguments: Arguments) -> Value:
    name, package = arguments.get(0, "name"), arguments.get(1, "package")
    if isinstance(name, str) and name.startswith(".") and isinstance(package, str):
        name = f"{package}.{name.lstrip('.')}"
    return (
        load(frame, name) if isinstance(name, str) and name else undecided(frame, "importlib.import_module", arguments)
    )


def _find_spec(frame: Frame, arguments: Arguments) -> Value:
    name = arguments.get(0, "name")
    if not isinstance(name, str):
        return undecided(frame, "importlib.util.find_spec", arguments)
    if frame.machine.layout.canonical(name) in frame.machine.layout.files:
        return External("importlib.machinery.ModuleSpec()")
    installed = frame.machine.space.atom(f"installed:{name.split('.', 1)[0]}")
    frame.machine.external_modules.add("importlib.machinery.ModuleSpec()")
    return _either(installed, External("importlib.machinery.ModuleSpec()"), None)


def environment_variable(frame: Frame, arguments: Arguments) -> Value:
    """`os.environ.get(name, default)`: what is set is not known, and neither is whether it is."""

    def one(values: list[Value]) -> Value:
        name = values[0]
        if not isinstance(name, str):
            return undecided(frame, "os.environ.get", arguments)
        is_set = frame.machine.space.atom(f"env:{name}")
        return _either(is_set, Unknown(f"os.environ[{name!r}]"), arguments.get(1, "default"))

    return lift(frame, [arguments.get(0, "key")], one)


def _nothing(_: Frame, __: Arguments) -> Value:
    return None


def _cast(_: Frame, arguments: Arguments) -> Value:
    return arguments.get(1, "val")


def _named_tuple(frame: Frame, arguments: Arguments) -> Value:
    """`namedtuple("Spec", "a b")`: a class whose fields are filled in order."""
    from .scope import Scope  # noqa: PLC0415

    name, names = arguments.get(0, "typename"), arguments.get(1, "field_names")
    items = names.replace(",", " ").split() if isinstance(names, str) else [v for _, v in iterate(frame, names) or []]
    fields = [f[0] if isinstance(f, tuple) and f else f for f in items]
    if not isinstance(name, str) or not fields or not all(isinstance(f, str) for f in fields):
        return undecided(frame, "collections.namedtuple", arguments)
    scope = Scope(frame.path, name, is_class=True)
    return ClassValue(name, f"{frame.module.name}.{name}", frame.module, (), scope, tuple(map(str, fields)))


def environment_item(index: Value) -> Value:
    """`os.environ[name]`."""
    return Unknown(f"os.environ[{index!r}]")


_MEANINGS: Final[Mapping[str, Meaning]] = {
    "builtins.len": _length,
    "builtins.range": _range,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.list": _collect("list"),
    "builtins.set": _collect("set"),
    "builtins.frozenset": _collect("set"),
    "builtins.iter": _collect("list"),
    "builtins.tuple": _tuple,
    "builtins.sorted": _sorted,
    "builtins.reversed": _reversed,
    "builtins.dict": _dict,
    "builtins.str": _convert(str, "str"),
    "builtins.repr": _convert(repr, "repr"),
    "builtins.int": _convert(int, "int"),
    "builtins.float": _convert(float, "float"),
    "builtins.abs": _convert(abs, "abs"),
    "builtins.min": _convert(min, "min"),
    "builtins.max": _convert(max, "max"),
    "builtins.bool": _bool,
    "builtins.any": _any,
    "builtins.all": _all,
    "builtins.map": _map,
    "builtins.getattr": _getattr,
    "builtins.hasattr": _hasattr,
    "builtins.setattr": _setattr,
    "builtins.isinstance": _isinstance,
    "builtins.callable": _callable,
    "builtins.type": _type,
    "builtins.super": _super,
    "builtins.print": _nothing,
    "builtins.property": _keep,
    "builtins.staticmethod": _keep,
    "builtins.classmethod": _keep,
    "functools.cached_property": _keep,
    "functools.partial": _partial,
    "functools.wraps": _wraps,
    "functools.lru_cache": _keep,
    "functools.cache": _keep,
    "functools.singledispatch": _keep,
    "contextlib.contextmanager": _keep,
    "dataclasses.dataclass": _keep,
    "collections.OrderedDict": _dict,
    "collections.namedtuple": _named_tuple,
    "itertools.product": _product,
    "itertools.chain": _chain,
    "importlib.import_module": _import_module,
    "importlib.util.find_spec": _find_spec,
    "os.environ.get": environment_variable,
    "os.getenv": environment_variable,
    "typing.cast": _cast,
    "warnings.warn": _nothing,
}

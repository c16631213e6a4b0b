"""How values and expressions are written in conditions, so that a reader and an `assume` line can name them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .limits import MOST_DESCRIPTION
from .values import (
    SCALARS,
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

if TYPE_CHECKING:
    from .frame import Frame


def describe(value: Value) -> str:
    """A value in the words of its resolved expression."""
    match value:
        case Unknown(text=text) | External(path=text):
            return text
        case FunctionValue(qualname=text) | ClassValue(qualname=text) | Intrinsic(name=text):
            return text
        case EnumMember(qualname=text, name=name):
            return f"{text}.{name}"
        case ModuleValue(module=module):
            return module.name
        case BoundMethod(function=function):
            return function.qualname
        case Instance(cls=cls):
            return f"<{cls.qualname}>"
        case Partial(function=inner):
            return describe(inner)
        case Handle():
            return value.describe()
        case tuple():
            return f"({_listed(value)}{',' if len(value) == 1 else ''})"
        case ListValue(items=items):
            return f"[{_listed(tuple(v for _, v in items))}]"
        case DictValue():
            return "{...}"
        case _ if isinstance(value, SCALARS):
            return repr(value) if len(repr(value)) <= MOST_DESCRIPTION else "..."
        case _:
            return " or ".join(dict.fromkeys(describe(v) for _, v in value.alternatives))


def _listed(values: tuple[Value, ...]) -> str:
    shown = [describe(v) for v in values[:8]]
    return ", ".join([*shown, "..."] if len(values) > len(shown) else shown)


def describe_call(callee: str, positional: list[Value], keywords: dict[str, Value]) -> str:
    """A call in the words of its callee and arguments."""
    given = [describe(v) for v in positional] + [f"{k}={describe(v)}" for k, v in keywords.items()]
    return f"{callee}({', '.join(given)})"


def bounded(frame: Frame, text: str, node: ast.expr | ast.stmt) -> str:
    """The text, or the place it stands at where it grew too long: never a part of it, which might name something else."""
    return text if len(text) <= MOST_DESCRIPTION else f"{frame.module.name}:{node.lineno}"


def describe_node(frame: Frame, node: ast.expr) -> str:
    """An expression with its names resolved: `HAS_CUDA` of module `pkg.flags` becomes `pkg.flags.HAS_CUDA`."""
    return bounded(frame, _write(frame, node), node)


def _write(frame: Frame, node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return _write_name(frame, name)
        case ast.Attribute(value=base, attr=attr):
            return f"{_write(frame, base)}.{attr}"
        case ast.Constant(value=value):
            return repr(value)
        case ast.Call(func=func, args=args, keywords=keywords):
            given = [_write(frame, a) for a in args] + [f"{k.arg}={_write(frame, k.value)}" for k in keywords]
            return f"{_write(frame, func)}({', '.join(given)})"
        case ast.Subscript(value=base, slice=index):
            return f"{_write(frame, base)}[{_write(frame, index)}]"
        case _:
            return _write_other(frame, node)


def _write_other(frame: Frame, node: ast.expr) -> str:
    """Any other expression: its source, with each name in it resolved."""

    class Resolve(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:
            return ast.Name(_write_name(frame, node.id))

    try:
        return ast.unparse(Resolve().visit(ast.parse(ast.unparse(node), mode="eval")))
    except (SyntaxError, ValueError, RecursionError):
        return f"{frame.module.name}:{node.lineno}"


def _write_name(frame: Frame, name: str) -> str:
    scope = frame.scope.find(name)
    if scope is None:
        return name
    value = scope.names[name]
    if isinstance(value, (Unknown, External, ModuleValue, FunctionValue, ClassValue)):
        return describe(value)
    if scope is frame.module.scope:
        return frame.module.origins.get(name, f"{frame.module.name}.{name}")
    return describe(value) if isinstance(value, SCALARS) else f"{scope.label}.{name}"

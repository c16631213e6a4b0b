"""How values and expressions are written in conditions, so that a reader and an `assume` line can name them."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias
from zlib import crc32

from .limits import MOST_DESCRIPTION, MOST_LISTED
from .parts import is_small
from .values import (
    SCALARS,
    BoundMethod,
    Choice,
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
    is_tuple,
)

if TYPE_CHECKING:
    from .frame import Frame


Place: TypeAlias = ast.expr | ast.stmt | ast.pattern
# What stands for a part that is too long to write. It names nothing: `bounded` puts the place instead.
_LONG: Final = "\N{HORIZONTAL ELLIPSIS}"


def describe(value: Value) -> str:
    """A value in the words of its resolved expression."""
    return _describe(value) if is_small(value, MOST_LISTED) else _LONG


def _describe(value: Value) -> str:
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
        case _:
            return _describe_parts(value)


def _describe_parts(value: Value) -> str:
    match value:
        case ListValue(items=items, kind=kind, is_open=is_open):
            opening, closing = _BRACKETS.get(kind, ("[", "]"))
            return f"{opening}{', '.join([*(_describe(v) for _, v in items), *[_LONG] * is_open])}{closing}"
        case DictValue(items=entries, is_open=is_open):
            pairs = [f"{_describe(k)}: {_describe(v)}" for k, v in entries.items()]
            return f"{{{', '.join([*pairs, *[_LONG] * is_open])}}}"
        case Choice(alternatives=pairs):
            return " or ".join(dict.fromkeys(_describe(v) for _, v in pairs))
        case _ if is_tuple(value):
            return f"({', '.join(map(_describe, value))}{',' * (len(value) == 1)})"
        case _:
            text = repr(value)
            return text if len(text) <= MOST_DESCRIPTION else f"{_LONG}{crc32(text.encode()):08x}"


_BRACKETS: Final = {"set": ("{", "}"), "tuple": ("(", ")")}


def describe_operand(value: Value) -> str:
    """A value as an operand: one that is itself an operation in brackets."""
    text = describe(value)
    return f"({text})" if isinstance(value, Unknown) and _is_loose(text) else text


@lru_cache(maxsize=4096)
def _is_loose(text: str) -> bool:
    if " " not in text and not text.startswith(("-", "~", "+")):
        return False
    try:
        return isinstance(ast.parse(text, mode="eval").body, _LOOSE)
    except (SyntaxError, ValueError, RecursionError):
        return False


def describe_call(callee: str, positional: list[Value], keywords: dict[str, Value]) -> str:
    """A call in the words of its callee and arguments."""
    given = [describe(v) for v in positional] + [f"{k}={describe(v)}" for k, v in keywords.items()]
    return f"{callee}({', '.join(given)})"


def bounded(frame: Frame, text: str, node: Place) -> str:
    """The text, or the place it stands at where it is too long: never a part of it, which might name something else."""
    if len(text) <= MOST_DESCRIPTION and _LONG not in text:
        return text
    # One line of a function may be evaluated for several arguments: what is long about each tells them apart.
    return (
        f"{_place(frame, node)} (#{crc32(text.encode(errors='replace')):08x})" if frame.called else _place(frame, node)
    )


def _place(frame: Frame, node: Place) -> str:
    line = getattr(node, "lineno", None)
    return f"{frame.module.name}:{line}" if line else frame.module.name


def describe_node(frame: Frame, node: ast.expr) -> str:
    """An expression with its names resolved: `HAS_CUDA` of module `pkg.flags` becomes `pkg.flags.HAS_CUDA`."""
    lines, columns = (node.end_lineno or 0) - node.lineno, (node.end_col_offset or 0) - node.col_offset
    # What is long as it is written is not worth the work of writing it again.
    is_long = lines > MOST_LISTED or columns > 4 * MOST_DESCRIPTION
    return _place(frame, node) if is_long else bounded(frame, _write(frame, node), node)


def _write(frame: Frame, node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return _write_name(frame, name)
        case ast.Attribute(value=base, attr=attr):
            return f"{_write_base(frame, base)}.{attr}"
        case ast.Constant(value=value):
            return repr(value)
        case ast.Call(func=func, args=args, keywords=keywords):
            given = [_write(frame, a) for a in args] + [f"{k.arg}={_write(frame, k.value)}" for k in keywords]
            return f"{_write_base(frame, func)}({', '.join(given)})"
        case ast.Slice(lower=lower, upper=upper, step=step):
            bounds = [_write(frame, bound) if bound else "" for bound in (lower, upper)]
            return ":".join([*bounds, *([_write(frame, step)] if step else [])])
        case ast.Subscript(value=base, slice=index):
            return f"{_write_base(frame, base)}[{_write(frame, index)}]"
        case _:
            return _write_other(frame, node)


def _write_base(frame: Frame, node: ast.expr) -> str:
    """An expression as what stands before a dot or a bracket."""
    text = _write(frame, node)
    return f"({text})" if isinstance(node, _LOOSE) else text


# Expressions that a dot or a bracket after them would take apart.
_LOOSE: Final = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.Await, ast.NamedExpr)


def _write_other(frame: Frame, node: ast.expr) -> str:
    """Any other expression: its source, with each name in it resolved."""

    try:
        copy = ast.parse(ast.unparse(node), mode="eval")
        return ast.unparse(_Resolve(frame).visit(copy))
    except (SyntaxError, ValueError, RecursionError):
        return _place(frame, node)


class _Resolve(ast.NodeTransformer):
    """Puts for each name in an expression what it stands for."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(_write_name(self._frame, node.id))


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

"""Which parameters of a function are array inputs, by annotation: as an object, or as text that cannot be evaluated."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final, Union, get_args, get_origin

from .arrays import ArrayKind, backend_of_type

_KIND_OF_NAME: Final = {
    "Array": ArrayKind.ANY,
    "FloatArray": ArrayKind.FLOAT,
    "IntArray": ArrayKind.INT,
    "BoolArray": ArrayKind.BOOL,
    "ndarray": ArrayKind.ANY,
    "NDArray": ArrayKind.ANY,
}
_FLOAT_NAMES: Final = ("float", "half", "single", "double", "longdouble")
_INT_NAMES: Final = ("int", "uint", "signedinteger", "unsignedinteger")


def array_kind(annotation: object, function: Callable[..., Any]) -> ArrayKind | None:
    """Say what kind of array input a parameter of `function` annotated so is; None if it passes through.

    Text (from quotes, or `from __future__ import annotations`) is evaluated in the function's module. Where that
    fails, as for a name imported under TYPE_CHECKING alone, the names in it are taken for what they usually are.
    """
    if not isinstance(annotation, str):
        return _kind_of_object(annotation, function)
    try:
        value = eval(annotation, getattr(function, "__globals__", {}))
    except Exception:  # whatever it raises, it is then read as text
        return _kind_of_text(annotation)
    return _kind_of_object(value, function)


def _kind_of_object(annotation: Any, function: Callable[..., Any]) -> ArrayKind | None:
    origin: Any = get_origin(annotation)
    if isinstance(annotation, str):
        return array_kind(annotation, function)
    if hasattr(origin, "__value__"):  # `Name[...]`, of a `type Name[T] = ...`, which NumPy's NDArray is since 2.5
        return _kind_of_object(origin.__value__[get_args(annotation)], function)
    if hasattr(annotation, "__value__"):  # `type Name = ...`
        return _kind_of_object(annotation.__value__, function)
    if origin is Annotated:
        marks = [mark for mark in annotation.__metadata__ if isinstance(mark, ArrayKind)]
        return marks[0] if marks else _kind_of_object(annotation.__origin__, function)
    if origin in (Union, types.UnionType):
        return _first(_kind_of_object(member, function) for member in get_args(annotation))
    if isinstance(origin, type):
        return _kind_of_scalar(_scalar_name(get_args(annotation)[-1])) if backend_of_type(origin) else None
    return ArrayKind.ANY if isinstance(annotation, type) and backend_of_type(annotation) else None


def _kind_of_text(annotation: str) -> ArrayKind | None:
    try:
        return _kind_of_node(ast.parse(annotation.strip(), mode="eval").body)
    except SyntaxError:
        return None


def _kind_of_node(node: ast.expr) -> ArrayKind | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _KIND_OF_NAME.get(name)
        case ast.Constant(value=str(text)):
            return _kind_of_text(text)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _first(map(_kind_of_node, (left, right)))
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner):
            return _kind_of_subscript(name, inner.elts if isinstance(inner, ast.Tuple) else [inner])
        case _:
            return None


def _kind_of_subscript(name: str, members: list[ast.expr]) -> ArrayKind | None:
    if name in ("ndarray", "NDArray"):
        return kind_of_dtype(members[-1])
    if name in ("Optional", "Union"):
        return _first(map(_kind_of_node, members))
    return _kind_of_node(members[0]) if name == "Annotated" else None


def kind_of_dtype(node: ast.expr) -> ArrayKind:
    """Say what kind of array `numpy.ndarray[..., node]` and `NDArray[node]` are, by the text of `node`."""
    return _kind_of_scalar(_scalar_name_in(node))


def _scalar_name(dtype: Any) -> str:
    """Name the scalar type in `dtype[float64]`, `float64` or `floating[Any]`."""
    if getattr(get_origin(dtype), "__name__", "") == "dtype":
        dtype = get_args(dtype)[0]
    return getattr(get_origin(dtype) or dtype, "__name__", "")


def _scalar_name_in(node: ast.expr) -> str:
    """Name the scalar type in the text of `dtype[float64]`, `float64` or `floating[Any]`."""
    match node:
        case ast.Subscript(value=ast.Name(id="dtype") | ast.Attribute(attr="dtype"), slice=inner):
            return _scalar_name_in(inner)
        case ast.Subscript(value=value):
            return _scalar_name_in(value)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _kind_of_scalar(name: str) -> ArrayKind:
    if name.startswith("bool"):
        return ArrayKind.BOOL
    if name.startswith(_FLOAT_NAMES):
        return ArrayKind.FLOAT
    return ArrayKind.INT if name.startswith(_INT_NAMES) else ArrayKind.ANY


def _first(kinds: Iterable[ArrayKind | None]) -> ArrayKind | None:
    return next((kind for kind in kinds if kind is not None), None)

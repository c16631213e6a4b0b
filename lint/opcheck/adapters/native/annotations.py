"""Which parameters the runtime takes for array inputs, by their annotation."""

from __future__ import annotations

import ast
from typing import Final

from opcheck_runtime.annotations import kind_of_dtype
from opcheck_runtime.arrays import ArrayKind

from ...symbolic.modules import Module
from ...symbolic.scope import alternatives
from ...symbolic.values import External

_ARRAYS: Final = {
    "opcheck_runtime.Array": ArrayKind.ANY,
    "opcheck_runtime.FloatArray": ArrayKind.FLOAT,
    "opcheck_runtime.IntArray": ArrayKind.INT,
    "opcheck_runtime.BoolArray": ArrayKind.BOOL,
    "numpy.ndarray": ArrayKind.ANY,
    "numpy.typing.NDArray": ArrayKind.ANY,
    "cupy.ndarray": ArrayKind.ANY,
    "cupy.typing.NDArray": ArrayKind.ANY,
}
_NAMES: Final = {path.rpartition(".")[2]: kind for path, kind in _ARRAYS.items()}
_UNIONS: Final = frozenset({"Optional", "Union", "Annotated"})


def is_array(module: Module, node: ast.expr) -> bool:
    """Whether a parameter annotated so is an array input: an array, or a union with one in it."""
    return array_kind(module, node) is not None


def array_kind(module: Module, node: ast.expr) -> ArrayKind | None:
    """What kind of array input a parameter annotated so is; None for one that is none."""
    match node:
        case ast.Constant(value=str(text)):
            return _parsed(module, text)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return array_kind(module, left) or array_kind(module, right)
        case ast.Subscript(value=base, slice=inner):
            members = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            if _last_name(base) in _UNIONS:
                return next((kind for member in members if (kind := array_kind(module, member))), None)
            return kind_of_dtype(members[-1]) if is_array(module, base) else None
        case ast.Name() | ast.Attribute():
            return _names_array(module, node)
        case _:
            return None


def _parsed(module: Module, text: str) -> ArrayKind | None:
    try:
        return array_kind(module, ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _names_array(module: Module, node: ast.Name | ast.Attribute) -> ArrayKind | None:
    """Resolve the name; one that is bound nowhere (imported for type checkers alone) is taken by its last part."""
    path = _resolve(module, node)
    return _ARRAYS.get(path) if path is not None else _NAMES.get(_last_name(node))


def _resolve(module: Module, node: ast.expr) -> str | None:
    if isinstance(node, ast.Attribute):
        base = _resolve(module, node.value)
        return f"{base}.{node.attr}" if base else None
    value = module.scope.names.get(node.id) if isinstance(node, ast.Name) else None
    found = [v for _, v in alternatives(value, module.scope.base)] if value is not None else []
    return next((v.path for v in found if isinstance(v, External)), None if not found else "")

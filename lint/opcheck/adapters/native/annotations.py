"""Which parameters the runtime takes for array inputs, by their annotation."""

from __future__ import annotations

import ast
from typing import Final

from ...symbolic.modules import Module
from ...symbolic.scope import alternatives
from ...symbolic.values import External

_ARRAYS: Final = frozenset(
    {
        "opcheck_runtime.Array",
        "opcheck_runtime.FloatArray",
        "opcheck_runtime.IntArray",
        "opcheck_runtime.BoolArray",
        "numpy.ndarray",
        "numpy.typing.NDArray",
        "cupy.ndarray",
        "cupy.typing.NDArray",
    }
)
_NAMES: Final = frozenset(path.rpartition(".")[2] for path in _ARRAYS)
_UNIONS: Final = frozenset({"Optional", "Union", "Annotated"})


def is_array(module: Module, node: ast.expr) -> bool:
    """Whether a parameter annotated so is an array input: an array, or a union with one in it."""
    match node:
        case ast.Constant(value=str(text)):
            return _parsed(module, text)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return is_array(module, left) or is_array(module, right)
        case ast.Subscript(value=base, slice=inner):
            members = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            if _last_name(base) in _UNIONS:
                return any(is_array(module, member) for member in members)
            return is_array(module, base)
        case ast.Name() | ast.Attribute():
            return _names_array(module, node)
        case _:
            return False


def _parsed(module: Module, text: str) -> bool:
    try:
        return is_array(module, ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        return False


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _names_array(module: Module, node: ast.Name | ast.Attribute) -> bool:
    """Resolve the name; one that is bound nowhere (imported for type checkers alone) is taken by its last part."""
    path = _resolve(module, node)
    return path in _ARRAYS if path is not None else _last_name(node) in _NAMES


def _resolve(module: Module, node: ast.expr) -> str | None:
    if isinstance(node, ast.Attribute):
        base = _resolve(module, node.value)
        return f"{base}.{node.attr}" if base else None
    value = module.scope.names.get(node.id) if isinstance(node, ast.Name) else None
    found = [v for _, v in alternatives(value, module.scope.base)] if value is not None else []
    return next((v.path for v in found if isinstance(v, External)), None if not found else "")

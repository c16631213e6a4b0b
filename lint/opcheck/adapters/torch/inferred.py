"""A schema from a function's annotations, as `torch.library.infer_schema` writes it."""

from __future__ import annotations

import ast
from typing import Final

from ...symbolic.modules import Module
from ...symbolic.scope import alternatives
from ...symbolic.values import SCALARS, External, FunctionValue, Unknown, Value

_TYPES: Final = {
    "Tensor": "Tensor",
    "int": "SymInt",
    "SymInt": "SymInt",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "dtype": "ScalarType",
    "device": "Device",
    "Number": "Scalar",
    "None": "()",
}
_LISTS: Final = frozenset({"list", "List", "Sequence"})
_UNREAD: Final = "Any"


def infer_schema(function: FunctionValue, mutates: frozenset[str] | None) -> str:
    """The schema of a function by its annotations.

    `mutates` names the parameters it changes, None standing for every tensor. A type that cannot be told is written
    `Any`.
    """
    spec, node = function.node.args, function.node
    plain, after_star = [*spec.posonlyargs, *spec.args], spec.kwonlyargs
    missing = len(plain) - len(function.defaults)
    written = [
        _parameter(function, arg, mutates, function.defaults[i - missing : i - missing + 1] if i >= missing else [])
        for i, arg in enumerate(plain)
    ]
    if after_star:
        given = function.keyword_defaults
        named = (_parameter(function, a, mutates, [given[a.arg]] if a.arg in given else []) for a in after_star)
        written += ["*", *named]
    returns = None if isinstance(node, ast.Lambda) else node.returns
    return f"({', '.join(written)}) -> {_returns(function.module, returns)}"


def _parameter(function: FunctionValue, arg: ast.arg, mutates: frozenset[str] | None, default: list[Value]) -> str:
    kind = _type(function.module, arg.annotation)
    if kind.startswith("Tensor") and (mutates is None or arg.arg in mutates):
        kind = kind.replace("Tensor", "Tensor(a!)", 1)
    written = [f"={_literal(value)}" for value in default if isinstance(value, SCALARS)]
    return f"{kind} {arg.arg}{''.join(written)}"


def _literal(value: Value) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _returns(module: Module, node: ast.expr | None) -> str:
    node = _parse(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else node
    if isinstance(node, ast.Subscript) and _last(node.value) in ("tuple", "Tuple"):
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return f"({', '.join(_type(module, n) for n in inner)})"
    return _type(module, node)


def _type(module: Module, node: ast.expr | None) -> str:
    match node:
        case None:
            return _UNREAD
        case ast.Constant(value=None):
            return "()"
        case ast.Constant(value=str(text)):
            return _type(module, _parse(text))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _union([_type(module, left), _type(module, right)])
        case ast.Subscript(value=base, slice=inner):
            members = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return _subscript(_last(base), [_type(module, member) for member in members])
        case ast.Name(id=name) if name not in _TYPES:
            return _alias(module, name)
        case _:
            return _TYPES.get(_last(node), _UNREAD)


def _union(sides: list[str]) -> str:
    kinds = [side for side in sides if side != "()"]
    return f"{kinds[0]}?" if len(kinds) == 1 and len(sides) == 2 else _UNREAD


def _subscript(name: str, members: list[str]) -> str:
    if name == "Optional":
        return f"{members[0]}?"
    if name == "Union":
        return _union(members)
    if name in _LISTS:
        return f"{members[0]}[]"
    return members[0] if name == "Annotated" else _UNREAD


def _alias(module: Module, name: str) -> str:
    """The type that a name of the module's own stands for."""
    for _, value in alternatives(module.scope.names.get(name), module.scope.base):
        if isinstance(value, External):
            return _TYPES.get(value.path.rpartition(".")[2], _UNREAD)
        if isinstance(value, Unknown):
            # An alias of a generic type is a value known by how it is written.
            node = _parse(value.text)
            return _UNREAD if isinstance(node, ast.Name) else _type(module, node)
    return _UNREAD


def _parse(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


def _last(node: ast.expr | None) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""

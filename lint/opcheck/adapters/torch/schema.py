"""What an op's schema says: from a schema string, or from a function's annotations as `infer_schema` reads them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Final

from ...symbolic.values import FunctionValue


@dataclass(frozen=True, slots=True)
class Schema:
    """The facts that dispatch depends on. `text` is the schema from its first parenthesis on."""

    text: str
    takes_tensors: bool
    takes_device: bool
    mutates: bool
    returns: tuple[str, ...]

    @property
    def returns_nothing(self) -> bool:
        """Whether the op gives nothing back."""
        return not self.returns

    @property
    def has_trivial_fake(self) -> bool:
        """Whether PyTorch makes the fake kernel itself: for an op that only mutates its arguments."""
        return self.mutates and self.returns_nothing


_SHAPE: Final = re.compile(r"^\s*(?P<name>[\w:.]*)\s*(?P<rest>\(.*)$", re.DOTALL)


def split_definition(text: str) -> tuple[str, str] | None:
    """The name and the schema of `name(Tensor x) -> Tensor`; None for what is no definition."""
    match = _SHAPE.match(text)
    return (match["name"], match["rest"]) if match else None


def parse_schema(text: str) -> Schema | None:
    """The facts of a schema string from its first parenthesis on; None for what is no schema."""
    head, arrow, tail = text.rpartition("->")
    if not arrow or "(" not in head:
        return None
    arguments = _split(head.strip().removeprefix("(").rpartition(")")[0])
    returned = tail.strip()
    results = _split(returned[1:-1]) if returned.startswith("(") else [returned]
    return Schema(
        text=text,
        takes_tensors=any(a.startswith("Tensor") for a in arguments),
        takes_device=any(re.match(r"Device\??\s+device\b", a) for a in arguments),
        mutates=any("!" in a for a in arguments),
        returns=tuple(r for r in results if r),
    )


def _split(text: str) -> list[str]:
    """The parts between the commas that stand outside any bracket."""
    parts, depth, current = list[str](), 0, ""
    for char in text:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += char
    return [p for p in [*parts, current.strip()] if p and p != "*"]


_TYPES: Final = {
    "Tensor": "Tensor",
    "int": "SymInt",
    "SymInt": "SymInt",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "dtype": "ScalarType",
    "device": "Device",
    "Device": "Device",
    "Number": "Scalar",
    "None": "()",
}
_LISTS: Final = frozenset({"list", "List", "Sequence", "tuple", "Tuple"})


def infer_schema(function: FunctionValue, mutates: frozenset[str] | None) -> str:
    """The schema of a function by its annotations, as `torch.library.infer_schema` writes it.

    `mutates` names the parameters it changes, None standing for every tensor. A type that cannot be told is written
    `Any`.
    """
    spec = function.node.args
    plain, after_star = [*spec.posonlyargs, *spec.args], spec.kwonlyargs
    written = [_parameter(arg, mutates) for arg in plain]
    if after_star:
        written += ["*", *(_parameter(arg, mutates) for arg in after_star)]
    returns = None if isinstance(function.node, ast.Lambda) else function.node.returns
    return f"({', '.join(written)}) -> {_returns(returns)}"


def _parameter(arg: ast.arg, mutates: frozenset[str] | None) -> str:
    kind = _type(arg.annotation)
    if kind.startswith("Tensor") and (mutates is None or arg.arg in mutates):
        kind = kind.replace("Tensor", "Tensor(a!)", 1)
    return f"{kind} {arg.arg}"


def _returns(node: ast.expr | None) -> str:
    if isinstance(node, ast.Subscript) and _last(node.value) in ("tuple", "Tuple"):
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return f"({', '.join(map(_type, inner))})"
    return _type(node)


def _type(node: ast.expr | None) -> str:
    match node:
        case None:
            return "Any"
        case ast.Constant(value=None):
            return "()"
        case ast.Constant(value=str(text)):
            return _type(_parse(text))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            sides = [_type(left), _type(right)]
            return next((s for s in sides if s != "()"), "Any") + ("?" if "()" in sides else "")
        case ast.Subscript(value=base, slice=inner):
            return _subscript(_last(base), inner)
        case _:
            return _TYPES.get(_last(node), "Any")


def _subscript(name: str, inner: ast.expr) -> str:
    members = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if name in ("Optional", "Union"):
        return f"{_type(members[0])}?"
    if name in _LISTS:
        return f"{_type(members[0])}[]"
    return _type(members[0]) if name == "Annotated" else "Any"


def _parse(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


def _last(node: ast.expr | None) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""

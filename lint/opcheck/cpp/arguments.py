"""What the arguments of a registration say: names and schemas, dispatch keys, functions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from .keys import key_named
from .macros import Macros
from .syntax import Tree, arguments_of, called, is_string, strip_wrapping
from .text import read_text

_NAMING: Final = frozenset({"schema", "TORCH_SELECTIVE_SCHEMA", "TORCH_SELECTIVE_NAME", "parseSchema", "parseName"})
_FUNCTIONS: Final = frozenset({"TORCH_FN", "TORCH_FN_TYPE", "TORCH_BOX", "CppFunction"})
_LITERAL: Final = re.compile(
    r'(?:u8|[uUL])?(?:R"(?P<fence>[^(]*)\((?P<raw>.*)\)(?P=fence)"|"(?P<plain>.*)")', re.DOTALL
)
_ESCAPE: Final = re.compile(r"\\(\r?\n|.)", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "\n": "", "\r\n": ""}
_SIGNATURE: Final = re.compile(r"\s*(?:(?P<namespace>\w+)::)?(?P<name>\w+(?:\.\w+)?)\s*(?P<schema>\(.*)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Named:
    """The op that a registration is for: its schema where one is given, its namespace where the name has one."""

    name: str | None = None
    namespace: str | None = None
    schema: str | None = None


def read_name(tree: Tree, node: Node, macros: Macros) -> Named:
    """The op that an argument names; nothing is guessed of one that is put together or left to a template."""
    return _named(literal(tree, node, macros))


def read_text_name(code: str) -> Named:
    """The op that a macro's argument names."""
    return _named(joined_literals(code))


def _named(text: str | None) -> Named:
    match = _SIGNATURE.fullmatch(text) if text is not None else None
    if match is None:
        return Named()
    schema = " ".join(match["schema"].split()) if match["schema"] else None
    return Named(match["name"], match["namespace"], schema)


def literal(tree: Tree, node: Node, macros: Macros) -> str | None:
    """The text of an argument that is a literal, or a macro or constant that stands for one."""
    node = strip_wrapping(node)
    while node.type == "call_expression" and called(node, tree) in _NAMING and arguments_of(node):
        node = strip_wrapping(arguments_of(node)[0])
    if node.type == "concatenated_string":
        parts = [_part(tree, part, macros) for part in node.children if part.type != "comment"]
        return None if None in parts else "".join(part or "" for part in parts)
    return _part(tree, node, macros)


def _part(tree: Tree, node: Node, macros: Macros) -> str | None:
    if is_string(node) and not node.has_error:
        return unquoted(tree.code(node))
    if node.type not in ("identifier", "qualified_identifier"):
        return None
    macro = macros.get(tree.code(node).rpartition("::")[2].strip())
    return joined_literals(macro.body) if macro and macro.parameters is None else None


def joined_literals(code: str) -> str | None:
    """The text of string literals that stand side by side; None where there is something else."""
    text = read_text("", code)
    ends = [match.span() for match in re.finditer(r'(?:u8|[uUL])?R?"[^"]*"', text.shape)]
    between = re.sub(r'(?:u8|[uUL])?R?"[^"]*"', "", text.shape)
    return "".join(unquoted(code[start:end]) for start, end in ends) if ends and not between.strip() else None


def unquoted(code: str) -> str:
    """The text that a string literal stands for."""
    match = _LITERAL.fullmatch(code)
    if match is None:
        return ""
    if match["plain"] is None:
        return match["raw"]
    return _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), match["plain"])


@dataclass(frozen=True, slots=True)
class Kernel:
    """What is registered: the function as written, and the key that the call names, `named` being where."""

    function: str
    key: str | None = None
    named: Node | None = None


def read_kernel(tree: Tree, nodes: tuple[Node, ...]) -> Kernel:
    """The function and the key that the arguments after an op's name give."""
    if len(nodes) > 1 and not _is_tags(tree, nodes[1]):
        return Kernel(_function(tree, nodes[1]), key_named(tree.code(nodes[0])), nodes[0])
    node = strip_wrapping(next(iter(nodes)))
    listed = arguments_of(node)
    if node.type == "call_expression" and called(node, tree) == "dispatch" and len(listed) == 2:
        return Kernel(_function(tree, listed[1]), key_named(tree.code(listed[0])), listed[0])
    return Kernel(_function(tree, node))


def kernels_among(tree: Tree, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """The arguments of a definition that are not tags or an alias analysis."""
    return tuple(node for node in nodes if not _is_tags(tree, node))


def _is_tags(tree: Tree, node: Node) -> bool:
    if node.type in ("initializer_list", "compound_literal_expression"):
        return True
    return re.search(r"\bTag::|\bAliasAnalysisKind\b|[Tt]ags?$|TAGS?$|_tag\b", tree.code(node)) is not None


def _function(tree: Tree, node: Node) -> str:
    node = strip_wrapping(node)
    while node.type == "call_expression" and called(node, tree) in _FUNCTIONS and arguments_of(node):
        node = strip_wrapping(arguments_of(node)[0])
    if node.type == "lambda_expression":
        return "lambda"
    return tree.write(node).removeprefix("&").strip()

"""What the arguments of a registration say: names and schemas, dispatch keys, functions."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct
from tree_sitter import Node

from .keys import key_named
from .macros import Macros, only
from .syntax import Tree, arguments_of, called, strip_wrapping
from .text import read_text, split_at_commas

_NAMING: Final = frozenset({"schema", "TORCH_SELECTIVE_SCHEMA", "TORCH_SELECTIVE_NAME", "parseSchema", "parseName"})
_FUNCTIONS: Final = frozenset({"TORCH_FN", "TORCH_FN_TYPE", "TORCH_BOX", "CppFunction"})
_LITERAL: Final = re.compile(
    r'(?:u8|[uUL])?(?:R"(?P<fence>[^(]*)\((?P<raw>.*)\)(?P=fence)"|"(?P<plain>.*)")', re.DOTALL
)
_WRAPPED: Final = re.compile(r"\s*(?:\w+\s*::\s*)*(?P<name>\w*)\s*\((?P<inner>.*)\)\s*", re.DOTALL)
_WORD: Final = re.compile(r'(?:u8|[uUL])?R?"[^"]*"|[A-Za-z_](?:\w|::)*|\S')
_ESCAPE: Final = re.compile(r"\\(\r?\n|.)", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "\n": "", "\r\n": ""}
_SIGNATURE: Final = re.compile(r"\s*(?:(?P<namespace>\w+)::)?(?P<name>\w+(?:\.\w+)?)\s*(?P<schema>\(.*)?", re.DOTALL)


class Named(Struct, frozen=True):
    """The op that a registration is for: its schema where one is given, its namespace where the name has one."""

    name: str | None = None
    namespace: str | None = None
    schema: str | None = None


def read_name(code: str, macros: Macros) -> Named:
    """The op that an argument names; nothing is guessed of one that is put together or left to a template."""
    text = literal(code, macros)
    match = _SIGNATURE.fullmatch(text) if text is not None else None
    if match is None:
        return Named()
    schema = " ".join(match["schema"].split()) if match["schema"] else None
    return Named(match["name"], match["namespace"], schema)


def literal(code: str, macros: Macros) -> str | None:
    """The text of string literals side by side, or of macros and constants that stand for some; None for all else.

    It is read without the tree, which has no place for a macro after a literal.
    """
    shape = read_text("", code).shape
    wrapped = _WRAPPED.fullmatch(shape)
    while wrapped and (not wrapped["name"] or wrapped["name"] in _NAMING):
        start, end = split_at_commas(shape, *wrapped.span("inner"))[0]
        code, shape = code[start:end], shape[start:end]
        wrapped = _WRAPPED.fullmatch(shape)
    parts = [_part(code[slice(*token.span())], macros) for token in _WORD.finditer(shape)]
    return None if None in parts or not parts else "".join(part or "" for part in parts)


def _part(token: str, macros: Macros) -> str | None:
    if token.endswith('"'):
        return unquoted(token)
    macro = only(macros, token.rpartition("::")[2])
    return literal(macro.body, {}) if macro and macro.parameters is None else None


def unquoted(code: str) -> str | None:
    """The text that a string literal stands for; None for one that is not closed."""
    match = _LITERAL.fullmatch(code)
    if match is None:
        return None
    if match["plain"] is None:
        return match["raw"]
    return _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), match["plain"])


class Kernel(Struct, frozen=True):
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
    return (
        re.search(r"\bTag::|\bAliasAnalysisKind\b|_RegisterOrVerify\b|[Tt]ags?$|TAGS?$|_tag\b", tree.code(node))
        is not None
    )


def _function(tree: Tree, node: Node) -> str:
    node = strip_wrapping(node)
    while node.type == "call_expression" and called(node, tree) in _FUNCTIONS and arguments_of(node):
        node = strip_wrapping(arguments_of(node)[0])
    if node.type == "lambda_expression":
        return "lambda"
    return tree.write(node).removeprefix("&").strip()

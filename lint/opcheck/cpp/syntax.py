"""One statement as a syntax tree, with the calls in it.

Only single statements are parsed: the grammar knows neither CUDA's launches nor what macros hide, and what it makes of
a whole file can take minutes where the file is not the C++ it expects.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from .text import Text, blank, split_at_commas

_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")
_BRACES: Final = re.compile(r"[{}]")


@dataclass(frozen=True)
class Tree:
    """A parsed statement, `start` being where it begins in the text."""

    text: Text
    start: int
    root: Node

    def write(self, node: Node) -> str:
        """A node as the source has it, on one line."""
        return " ".join(self.text.source[self.start + node.start_byte : self.start + node.end_byte].split())

    def code(self, node: Node) -> str:
        """A node's text without comments."""
        return self.text.code[self.start + node.start_byte : self.start + node.end_byte]

    def place(self, node: Node) -> int:
        """Where a node begins in the text."""
        return self.start + node.start_byte


@dataclass(frozen=True)
class Call:
    """A call by name: `m.def(...)`, `reg(m)`. `root` is the leftmost name of the chain it ends, if it is one."""

    tree: Tree
    node: Node
    name: str
    root: str
    receiver: Node | None
    arguments: tuple[Node, ...]

    @property
    def others(self) -> tuple[Node, ...]:
        """The arguments after the first."""
        end = first_argument(self.tree, self.node)[1]
        return tuple(node for node in self.arguments if self.tree.place(node) >= end)

    @property
    def start(self) -> int:
        """Where it begins; in a chain, at its own name."""
        follows = self.receiver is not None and self.receiver.type == "call_expression"
        name = _name_of(self.node)
        return self.tree.place(name if follows and name else self.node)

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.tree.start + self.node.end_byte


@dataclass
class Found:
    """What a statement holds: its calls, innermost of a chain first, and how often each plain name is used."""

    calls: list[Call] = field(default_factory=list[Call])
    names: dict[str, int] = field(default_factory=dict[str, int])


def new_parser() -> Parser:
    """A parser for C++."""
    return Parser(Language(tree_sitter_cpp.language()))


def parse(parser: Parser, text: Text, start: int, written: str) -> Tree:
    """Parse one statement, which begins at `start`, from what is left of it `without_bodies`."""
    # A letter of one byte for each that has more: an offset in the tree is one in the text.
    return Tree(text, start, parser.parse(_FOREIGN.sub("x", written).encode() + b";").root_node)


def find_calls(tree: Tree) -> Found:
    """The calls and plain names of a statement, in order; those inside functions are not its own."""
    found, stack = Found(), [tree.root]
    while stack:
        node = stack.pop()
        if node.type == "lambda_expression":
            continue
        if node.type == "identifier":
            name = tree.code(node)
            found.names[name] = found.names.get(name, 0) + 1
        elif node.type == "call_expression":
            found.calls.append(_call(tree, node))
        stack.extend(reversed(node.children))
    found.calls.sort(key=lambda call: call.node.end_byte)
    return found


def first_argument(tree: Tree, node: Node) -> tuple[int, int]:
    """Where the first argument of a call stands in the text, whether or not the tree made sense of it."""
    listed = node.child_by_field_name("arguments") or node
    start, end = tree.start + listed.start_byte + 1, tree.start + listed.end_byte - 1
    return split_at_commas(tree.text.shape, start, end)[0]


def strip_wrapping(node: Node) -> Node:
    """The expression inside parentheses."""
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def called(node: Node, tree: Tree) -> str:
    """The last name of what a call calls; empty for what has none."""
    name = _name_of(node)
    return tree.code(name) if name else ""


def arguments_of(node: Node) -> tuple[Node, ...]:
    """A call's arguments."""
    listed = node.child_by_field_name("arguments")
    return tuple(n for n in listed.named_children if n.type != "comment") if listed else ()


def receiver_of(node: Node) -> Node | None:
    """What a call's method is called on."""
    function = node.child_by_field_name("function")
    return function.child_by_field_name("argument") if function and function.type == "field_expression" else None


def _call(tree: Tree, node: Node) -> Call:
    receiver = receiver_of(node)
    return Call(tree, node, called(node, tree), _root(tree, receiver), receiver, arguments_of(node))


def _root(tree: Tree, node: Node | None) -> str:
    """The leftmost name of a chain; for one that begins with a call, that of the call. A class's chain has none."""
    while node is not None:
        if node.type == "identifier":
            return tree.code(node)
        if node.type != "call_expression" or called(node, tree) == "class_":
            return ""
        receiver = receiver_of(node)
        if receiver is None:
            return called(node, tree)
        node = receiver
    return ""


def _name_of(node: Node) -> Node | None:
    """The last name of the function of a call."""
    name = inner = node.child_by_field_name("function")
    while inner is not None:
        name, inner = inner, inner.child_by_field_name("field") or inner.child_by_field_name("name")
    return name if name is not None and name.type.endswith("identifier") else None


def without_bodies(code: str, shape: str) -> str:
    """A statement with all that stands between braces blank: what the functions in it do is not done here."""
    pieces, depth, end = list[str](), 0, 0
    for match in _BRACES.finditer(shape):
        before, depth = depth, max(0, depth + (1 if match[0] == "{" else -1))
        if not (before and depth):
            stretch = code[end : match.start()]
            pieces += (blank(stretch) if before else stretch, match[0])
            end = match.end()
    return "".join((*pieces, blank(code[end:]) if depth else code[end:]))

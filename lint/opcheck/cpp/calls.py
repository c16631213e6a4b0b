"""What the calls of one statement register."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from tree_sitter import Node

from opcheck_rules.model.finding import Span

from .arguments import Kernel, Named, kernels_among, read_kernel, read_name
from .branches import Branches
from .controls import MOST_TEXT
from .drafts import INHERITED, Draft, Handover
from .keys import IMPLICIT, key_named
from .macros import Macros
from .records import Guards, merged
from .syntax import Call, Found, Tree, arguments_of, called, find_calls, first_argument, receiver_of, strip_wrapping
from .text import Text

REGISTERING: Final = frozenset({"def", "impl", "impl_UNBOXED", "fallback"})
_CATCH_ALL: Final = frozenset({"catchAllKernel", "impl_unboxedOnlyCatchAllKernel"})
_OPTION: Final = re.compile(r"\w*[kK]ernel$")


class Context(Struct, frozen=True):
    """What is known where a statement stands. `fixed` is the place to name in place of the statement's own."""

    text: Text
    branches: Branches
    macros: Macros
    guards: Guards
    fixed: Span | None = None

    def under(self, guards: Guards) -> Context:
        """The same, under more conditions."""
        return replace(self, guards=merged(self.guards, guards))

    def span(self, start: int, end: int) -> Span:
        """Where something stands."""
        return self.fixed or self.text.span(start, end)

    def place(self, tree: Tree, node: Node) -> Span:
        """Where a node stands."""
        return self.span(tree.place(node), tree.start + node.end_byte)

    def around(self, offset: int) -> Guards:
        """The conditions that a place stands under."""
        return merged(self.branches.at(offset), self.guards)


def registered(context: Context, tree: Tree, variable: str) -> Iterator[Draft | Handover]:
    """What a statement registers into the library that `variable` is, or hands it on to."""
    found, understood = find_calls(tree), 0
    for call in found.calls:
        if call.root == variable and call.receiver is not None:
            understood += call.receiver.type != "call_expression"
            yield from _method(context, call)
        elif call.receiver is None and (given := _times_given(call, variable)):
            understood += given
            yield Handover(call.name, context.span(call.start, call.end), context.around(call.start))
    if _has_more(tree, found, variable, understood):
        yield unread(context, tree.start, tree.start + tree.root.end_byte - 1)


def unread(context: Context, start: int, end: int) -> Draft:
    """A stretch that may register anything."""
    text = brief(context.text.code[start:end])
    return Draft("unread", Named(), context.span(start, end), context.around(start), text=text)


def brief(code: str) -> str:
    """Code on one line, and not too much of it."""
    line = " ".join(code.split())
    return line if len(line) <= MOST_TEXT else f"{line[: MOST_TEXT - 3]}..."


def _times_given(call: Call, variable: str) -> int:
    return sum(node.type == "identifier" and call.tree.code(node) == variable for node in call.arguments)


def _has_more(tree: Tree, found: Found, variable: str, understood: int) -> bool:
    """Whether the library is used in a way that was not understood."""
    if re.match(r"\s*\(\s*void\s*\)", tree.code(tree.root)):
        return False
    if found.names.get(variable, 0) > understood:
        return True
    if not tree.root.has_error:
        return False
    return len(re.findall(rf"\b{variable}\s*(?:\.|->)\s*(?:def|impl)\b", tree.code(tree.root))) > understood


def _method(context: Context, call: Call) -> Iterator[Draft]:
    if call.name not in REGISTERING:
        return
    if not call.arguments or any(node.has_error for node in call.others):
        yield unread(context, call.start, call.end)
    elif call.name == "fallback":
        yield _draft(context, call, "fallback", Named(), read_kernel(call.tree, call.arguments), INHERITED)
    else:
        yield from _registration(context, call)


def _registration(context: Context, call: Call) -> Iterator[Draft]:
    named, kernels, otherwise = _named(context, call.tree, call.node), call.others, INHERITED
    if call.name == "def":
        yield _draft(context, call, "define", named)
        kernels, otherwise = kernels_among(call.tree, kernels), IMPLICIT
    if kernels:
        yield _draft(context, call, "kernel", named, read_kernel(call.tree, kernels), otherwise)


def _named(context: Context, tree: Tree, node: Node) -> Named:
    """The op. A schema that the preprocessor cuts up is not read, but a name that stands before the first cut is."""
    start, end = first_argument(tree, node)
    named = read_name(context.text.code[start:end], context.macros)
    if not context.branches.turns_between(start, end):
        return named
    head = re.search(r'"[^"]*"', context.text.shape[start:end])
    whole = head and "(" in context.text.code[start : start + head.end()]
    is_named = whole and head and not context.branches.turns_between(start, start + head.end())
    return replace(named, schema=None) if is_named else Named()


def _draft(
    context: Context, call: Call, kind: str, named: Named, kernel: Kernel | None = None, otherwise: str | None = None
) -> Draft:
    key, where = (kernel.key, kernel.named) if kernel and kernel.named else (otherwise, None)
    return Draft(
        kind,
        named,
        context.span(call.start, call.end),
        context.around(call.start),
        key,
        context.place(call.tree, where) if where else None,
        kernel.function if kernel else None,
        brief(call.tree.code(where)) if where else "",
        "" if named.name else brief(context.text.code[slice(*first_argument(call.tree, call.node))]),
    )


def registered_legacy(context: Context, tree: Tree) -> Iterator[Draft]:
    """What a statement registers by `RegisterOperators().op(...)`."""
    found = False
    for call in find_calls(tree).calls:
        if call.name == "op" and call.root == "RegisterOperators" and call.arguments:
            found = True
            yield from _operator(context, call)
    if not found and re.search(r'RegisterOperators\s*\w*\s*[({][^;]*"', tree.code(tree.root)):
        yield unread(context, tree.start, tree.start + tree.root.end_byte - 1)


def _operator(context: Context, call: Call) -> Iterator[Draft]:
    options = [option for node in call.arguments for option in _options(call.tree, node)]
    schemas = [node for name, node in options if name == "schema"]
    named = _named(context, call.tree, schemas[0] if schemas else call.node)
    yield replace(_draft(context, call, "define", named), legacy=True)
    for name, node in options:
        if name != "schema":
            draft = _draft(context, call, "kernel", named, _option(call.tree, name, node), IMPLICIT)
            yield replace(draft, guards=context.around(call.tree.place(node)), legacy=True)
    functions = [node for node in kernels_among(call.tree, call.others) if not _is_options(call.tree, node)]
    if functions:
        kernel = read_kernel(call.tree, tuple(functions[:1]))
        yield replace(_draft(context, call, "kernel", named, kernel, IMPLICIT), legacy=True)


def _is_options(tree: Tree, node: Node) -> bool:
    return re.search(r"\boptions\s*\(", tree.code(node)) is not None


def _options(tree: Tree, node: Node) -> Iterator[tuple[str, Node]]:
    """The calls on `RegisterOperators::options()` that say what is registered, first to last."""
    chain = list[tuple[str, Node]]()
    current: Node | None = strip_wrapping(node)
    while current is not None and current.type == "call_expression":
        name = called(current, tree)
        if name == "schema" or _OPTION.match(name):
            chain.append((name, current))
        current = receiver_of(current)
    if _is_options(tree, node):
        yield from reversed(chain)


def _option(tree: Tree, name: str, node: Node) -> Kernel:
    """One `.kernel<...>(KEY, ...)`."""
    listed = arguments_of(node)
    function = tree.write(listed[-1]).removeprefix("&") if len(listed) > 1 else _template_arguments(tree, node)
    if not listed or name in _CATCH_ALL:
        return Kernel(function)
    return Kernel(function, key_named(tree.code(listed[0])), listed[0])


def _template_arguments(tree: Tree, node: Node) -> str:
    match = re.search(r"<(.*)>\s*\([^()]*(?:\(\s*\))?[^()]*\)$", tree.write(node))
    return match[1].split("&")[-1].strip() if match else ""

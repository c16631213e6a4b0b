"""Syntax trees whose functions are parsed when something asks for what they do.

Most of what is written is the body of some function, and few of them bear on an op.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from .lexing import UnevenError
from .parsing import BROKEN, parsed
from .preparse import Body, bodies

Block: TypeAlias = list[ast.stmt]
Whole: TypeAlias = Callable[[], Block]
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS: Final[Mapping[type[ast.AST], tuple[str, ...]]] = {
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.With, ast.AsyncWith), ("body",)),
    **dict.fromkeys((ast.If, ast.For, ast.AsyncFor, ast.While), ("body", "orelse")),
    **dict.fromkeys((ast.Try, ast.TryStar), ("body", "handlers", "orelse", "finalbody")),
    **{ast.Match: ("cases",), ast.match_case: ("body",), ast.ExceptHandler: ("body",)},
}
"""The fields of each kind of node that hold statements, or what they stand in."""


class _Late(NamedTuple):
    """A body that was set aside: where it lies in a text. `whole` parses all of that, should it not parse alone."""

    text: str
    place: Body
    whole: Whole


class _Lazy(ast.stmt):
    """A function that parses its body when it is first asked for that."""

    late: _Late

    @cached_property
    def body(self) -> Block:
        """What a call of it runs."""
        return _parse(*self.late)


class LazyFunctionDef(_Lazy, ast.FunctionDef):  # type: ignore[override] # a cached property may be set
    """A `def`."""


class LazyAsyncFunctionDef(_Lazy, ast.AsyncFunctionDef):  # type: ignore[override]
    """An `async def`."""


_LAZY: Final = {ast.FunctionDef: LazyFunctionDef, ast.AsyncFunctionDef: LazyAsyncFunctionDef}


def lazily_parsed(text: str, whole: Whole) -> Block | None:
    """The statements of a text, most of whose functions are lazy; None where the text has to be parsed at once.

    `whole` does that, for a body that cannot be parsed by itself.
    """
    text = text.replace("\r\n", "\n")
    try:
        found = list(bodies(text))
        statements = parsed("".join(_without(text, found))).body
    except (UnevenError, *BROKEN):
        return None
    _set_aside(statements, {place.header: _Late(text, place, whole) for place in found})
    return statements


def unparsed(node: ast.AST) -> str | None:
    """The text of a function's body, where that was not parsed yet."""
    if not isinstance(node, _Lazy) or "body" in vars(node):
        return None
    text, place, _ = node.late
    return text[place.start : place.end]


def _without(text: str, found: Sequence[Body]) -> Iterator[str]:
    """A text with one short statement for each body, that ends where the body does."""
    at = 0
    for body in found:
        before, lines = body.last - body.line, text.count("\n", body.start, body.end)
        yield text[at : body.start]
        yield "\n" * before + body.indent + "0".rjust(body.last_column - len(body.indent)) + "\n" * (lines - before)
        at = body.end
    yield text[at:]


def _set_aside(statements: Block, found: Mapping[int, _Late]) -> None:
    for block in _blocks(statements):
        for i, statement in enumerate(block):
            if isinstance(statement, _FUNCTIONS) and statement.lineno in found:
                block[i] = _lazy(statement, found[statement.lineno])


def _lazy(node: ast.FunctionDef | ast.AsyncFunctionDef, late: _Late) -> ast.stmt:
    made = _LAZY[type(node)](**{name: value for name, value in vars(node).items() if name != "body"})
    vars(made).pop("body", None)  # which newer versions of Python fill in
    made.late = late
    return made


def _parse(text: str, place: Body, whole: Whole) -> Block:
    """The statements of a body, where they are in the file."""
    try:
        alone = parsed("\n" * (place.line - 2) + "def _():\n" + text[place.start : place.end])
    except BROKEN:
        functions = (node for block in _blocks(whole()) for node in block if isinstance(node, _FUNCTIONS))
        return next((node.body for node in functions if node.lineno == place.header), [_unreadable(place)])
    return next(node.body for node in alone.body if isinstance(node, ast.FunctionDef))


def _unreadable(place: Body) -> ast.stmt:
    """What stands for a body that is no Python: it gives what nobody can tell."""
    ends = {"lineno": place.line, "col_offset": 0, "end_lineno": place.last, "end_col_offset": place.last_column}
    return ast.Return(ast.Await(ast.Name("unreadable", ast.Load(), **ends), **ends), **ends)


def _blocks(block: Block) -> Iterator[Block]:
    """A block of statements, and those in it; functions that are lazy are not looked into."""
    waiting = [block]
    while waiting:
        block = waiting.pop()
        yield block
        waiting += (getattr(node, name) for node in block for name in _BLOCKS.get(type(node), ()))

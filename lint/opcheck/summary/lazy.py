"""Functions that parse what they do when something asks for it: most of what is written bears on no op."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from .parsing import BROKEN, parsed

if TYPE_CHECKING:
    from .preparse import Body

Block: TypeAlias = list[ast.stmt]
Whole: TypeAlias = Callable[[], Block]
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS: Final[Mapping[type[ast.AST], tuple[str, ...]]] = {
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.With, ast.AsyncWith), ("body",)),
    **dict.fromkeys((ast.If, ast.For, ast.AsyncFor, ast.While), ("body", "orelse")),
    **dict.fromkeys((ast.Try, ast.TryStar), ("body", "handlers", "orelse", "finalbody")),
    **{ast.Match: ("cases",), ast.match_case: ("body",), ast.ExceptHandler: ("body",)},
}
"""The fields of each kind of node that hold statements, or what they stand in."""


class Late(NamedTuple):
    """A body that was set aside: where it lies in a text. `whole` parses all of that, should it not parse alone."""

    text: str
    place: Body
    whole: Whole


class _Lazy(ast.stmt):
    """A function that parses its body when it is first asked for that."""

    late: Late

    @cached_property
    def body(self) -> Block:
        """What a call of it runs."""
        return _parse(*self.late)


class LazyFunctionDef(_Lazy, ast.FunctionDef):  # type: ignore[override] # a cached property may be set
    """A `def`."""


class LazyAsyncFunctionDef(_Lazy, ast.AsyncFunctionDef):  # type: ignore[override]
    """An `async def`."""


_LAZY: Final = {ast.FunctionDef: LazyFunctionDef, ast.AsyncFunctionDef: LazyAsyncFunctionDef}


def lazy(node: ast.FunctionDef | ast.AsyncFunctionDef, late: Late) -> ast.stmt:
    """A function as it is, but for its body, which is parsed later."""
    made = _LAZY[type(node)](**{name: value for name, value in vars(node).items() if name != "body"})
    vars(made).pop("body", None)  # which newer versions of Python fill in
    made.late = late
    return made


def unparsed(node: ast.AST) -> str | None:
    """The text of a function's body, where that was not parsed yet."""
    if not isinstance(node, _Lazy) or "body" in vars(node):
        return None
    text, place, _ = node.late
    return text[place.start : place.end]


def _parse(text: str, place: Body, whole: Whole) -> Block:
    """The statements of a body, where they are in the file."""
    try:
        alone = parsed("\n" * (place.line - 2) + "def _():\n" + text[place.start : place.end])
    except BROKEN:
        functions = (node for block in blocks(whole()) for node in block if isinstance(node, FUNCTIONS))
        return next((node.body for node in functions if node.lineno == place.header), [_unreadable(place)])
    return next(node.body for node in alone.body if isinstance(node, ast.FunctionDef))


def _unreadable(place: Body) -> ast.stmt:
    """What stands for a body that is no Python: it gives what nobody can tell."""
    ends = {"lineno": place.line, "col_offset": 0, "end_lineno": place.last, "end_col_offset": place.last_column}
    return ast.Return(ast.Await(ast.Name("unreadable", ast.Load(), **ends), **ends), **ends)


def blocks(block: Block) -> Iterator[Block]:
    """A block of statements, and those in it; functions that are lazy are not looked into."""
    waiting = [block]
    while waiting:
        block = waiting.pop()
        yield block
        waiting += (getattr(node, name) for node in block for name in _BLOCKS.get(type(node), ()))

"""Where calls and references stand in a file: in which function, behind which kind of guard, after which calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from ..summary.nodes import children

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Used: TypeAlias = ast.Call | ast.Attribute

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LEAVES: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)


class Site(Struct, frozen=True):
    """A place in a file: the innermost function and class around it, and what is known to have happened before.

    `guarded` says that some test decides whether it is reached, `handled` that a `try` takes what is raised there.
    `before` names what was called earlier in the same function.
    """

    function: Function | None = None
    owner: str | None = None
    guarded: bool = False
    handled: bool = False
    before: frozenset[str] = frozenset()


def sites(tree: ast.Module) -> Iterator[tuple[Used, Site]]:
    """Every call and attribute of a file, with where it stands."""
    yield from _block(tree.body, Site())


def called_name(node: ast.Call) -> str:
    """The last name of what is called."""
    function = node.func
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )


def _block(body: Sequence[ast.stmt], site: Site) -> Iterator[tuple[Used, Site]]:
    for statement in body:
        yield from _node(statement, site)
        names = {called_name(node) for node in _run_by(statement) if isinstance(node, ast.Call)}
        left = isinstance(statement, ast.Assert) or _leaves(statement)
        site = replace(site, before=site.before | names, guarded=site.guarded or left)


def _run_by(node: ast.AST) -> Iterator[ast.AST]:
    """What a statement runs, without the bodies of the functions it makes."""
    yield node
    if not isinstance(node, (*_FUNCTIONS, ast.Lambda)):
        for child in children(node):
            yield from _run_by(child)


def _leaves(statement: ast.stmt) -> bool:
    """Whether a branch ends the function or the round of a loop, so that what led to it guards what follows."""
    branches: list[list[ast.stmt]] = []
    if isinstance(statement, ast.If):
        branches = [statement.body, statement.orelse]
    elif isinstance(statement, (ast.Try, ast.TryStar)):
        branches = [handler.body for handler in statement.handlers]
    return any(branch and isinstance(branch[-1], _LEAVES) for branch in branches)


def _node(node: ast.AST, site: Site) -> Iterator[tuple[Used, Site]]:
    if isinstance(node, (ast.Call, ast.Attribute)):
        yield node, site
    for part, inner in _parts(node, site):
        yield from _block(part, inner) if isinstance(part, list) else _node(part, inner)


def _parts(node: ast.AST, site: Site) -> Iterator[tuple[list[ast.stmt] | ast.AST, Site]]:
    """What a node is made of, each part with where it stands."""
    guarded = replace(site, guarded=True)
    match node:
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
            yield from ((part, site) for part in (*node.decorator_list, node.args))
            yield body, replace(site, function=node)
        case ast.ClassDef(name=name, body=body):
            yield from ((part, site) for part in (*node.decorator_list, *node.bases))
            yield body, replace(site, owner=name)
        case ast.If(test=test, body=body, orelse=orelse) | ast.While(test=test, body=body, orelse=orelse):
            yield from ((test, site), (body, guarded), (orelse, guarded))
        case (
            ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=last)
            | ast.TryStar(body=body, handlers=handlers, orelse=orelse, finalbody=last)
        ):
            yield body, replace(guarded, handled=True) if handlers else site
            yield from ((handler.body, guarded) for handler in handlers)
            yield from ((orelse, site), (last, site))
        case _:
            yield from _plain_parts(node, site, guarded)


def _plain_parts(node: ast.AST, site: Site, guarded: Site) -> Iterator[tuple[list[ast.stmt] | ast.AST, Site]]:
    first: Iterable[ast.AST] = ()
    if isinstance(node, ast.IfExp):
        first = (node.test,)
    elif isinstance(node, ast.BoolOp):
        first = node.values[:1]
    elif isinstance(node, ast.Match):
        first = (node.subject,)
    elif not (isinstance(node, _COMPREHENSIONS) and any(loop.ifs for loop in node.generators)):
        guarded = site
    for name in ("body", "orelse"):
        part: object = getattr(node, name, None)
        if isinstance(part, list):
            yield cast("list[ast.stmt]", part), guarded
    expressions = (child for child in children(node) if not isinstance(child, ast.stmt))
    yield from ((child, site if child in first else guarded) for child in expressions)

"""Calls that take a function for each backend."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ...summary.nodes import walk
from ...symbolic.frame import Frame
from ...symbolic.modules import Module
from ...symbolic.scope import narrow
from ...symbolic.values import Arguments, Value
from ..emitting import on_path
from .arguments import Signature, signature_of
from .description import Argument, Description, Keywords
from .names import op_name, op_names
from .records import Name, Supplied


def tabulate(
    frame: Frame, callee: Value, arguments: Arguments, description: Description, shape: Keywords
) -> Iterator[str]:
    """Put on record what a table of keywords supplies, and for which op.

    Gives the name of the function that it is made in, where that only hands on what it was given.
    """
    values = dict(_values(signature_of(callee), arguments, shape))
    handed = _handed(frame, list(values.values()))
    yield from {function.name for function in [frame.called] if function is not None and handed}
    if handed and len(frame.machine.state.stack) < 2:
        return
    for condition, op, place in _ops(frame, callee, arguments, shape, handed=handed):
        with on_path(frame, condition):
            for keyword, value in values.items():
                supplied = Supplied(description, op, _backend(shape, keyword), value, place, alone=True)
                frame.machine.emit(frame, supplied, frame.span(arguments.nodes.get(keyword) or arguments.node))


def _backend(shape: Keywords, keyword: str) -> Name:
    return Name(shape.keywords[keyword], shape.keywords[keyword])


def _values(signature: Signature, arguments: Arguments, shape: Keywords) -> Iterator[tuple[str, Value]]:
    """What is given for each keyword: None where nothing is, which says that there is none."""
    listed = Argument(None, None) if not isinstance(shape.op, Argument) else shape.op
    free = [i for i in range(len(shape.keywords) + 1) if i != listed.position]
    for place, keyword in zip(free, shape.keywords, strict=False):
        by_place = Argument(None if signature.names else place, keyword)
        given = signature.given(arguments, by_place)
        yield keyword, given.value if given is not None else None


def _ops(
    frame: Frame, callee: Value, arguments: Arguments, shape: Keywords, *, handed: bool
) -> Iterator[tuple[Condition, Name, Span]]:
    span = frame.span(arguments.node)
    if isinstance(shape.op, Argument):
        given = signature_of(callee).given(arguments, shape.op)
        for condition, name in op_names(frame, given.value) if given else ():
            yield condition, name, span
    elif shape.op == "function":
        yield frame.path, _around(frame, handed=handed), span
    else:
        yield frame.path, _assigned(frame, arguments.node), span


def _around(frame: Frame, *, handed: bool) -> Name:
    """The function that a table is made in; of a helper that is handed what stands in it, the one that calls it."""
    stack = frame.machine.state.stack
    if not stack:
        return Name(None, text=frame.module.name)
    function = stack[-2] if handed else stack[-1]
    return Name(function.qualname.replace(".<locals>", ""), function.name)


def _handed(frame: Frame, values: list[Value]) -> bool:
    """Whether all that stands in a table was given to the function that makes it."""
    if frame.called is None or not frame.scope.names:
        return False
    spec = frame.called.node.args
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
    given = [narrow(frame.scope.names[name], frame.path) for name in names if name in frame.scope.names]
    there = [value for value in values if value is not None]
    return bool(there) and all(any(value is one for one in given) for value in there)


def _assigned(frame: Frame, node: ast.expr | ast.stmt) -> Name:
    """What the table is assigned to: a name of its module, an attribute, or the key of an item."""
    target = _targets(frame.module).get(id(node))
    match target:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return Name(f"{frame.owner or frame.module.name}.{name}".replace(".<locals>", ""), name)
        case ast.Subscript(slice=key):
            return op_name(frame, frame.evaluate(key))
        case ast.expr():
            return op_name(frame, frame.evaluate(target))
        case _:
            return Name(None, text=frame.name_of(node) if isinstance(node, ast.expr) else "")


@lru_cache(maxsize=256)
def _targets(module: Module) -> dict[int, ast.expr]:
    """What each call of a file is assigned to, by the call's node."""
    found: dict[int, ast.expr] = {}
    for node in walk([module.source.tree]):
        match node:
            case ast.Assign(targets=[target, *_], value=ast.Call() as call):
                found[id(call)] = target
            case (
                ast.AnnAssign(target=target, value=ast.Call() as call)
                | ast.NamedExpr(target=target, value=ast.Call() as call)
            ):
                found[id(call)] = target
            case ast.Dict(keys=keys, values=values):
                found |= {
                    id(v): k for k, v in zip(keys, values, strict=True) if k is not None and isinstance(v, ast.Call)
                }
            case _:
                pass
    return found

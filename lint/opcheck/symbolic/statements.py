"""What each kind of statement does to names, to the path, and to what is registered."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from opcheck_rules.model.condition import Condition

from ..summary.nodes import ANY_FUNCTION
from .assignment import assign
from .attempts import run_raise, run_try, run_with
from .definitions import define_class, define_function
from .dicts import remove
from .frame import Frame
from .guards import test
from .imports import import_from, import_modules
from .lift import lift
from .limits import PATH_ATOMS, GiveUpError
from .lists import extend
from .loops import run_break, run_continue, run_for, run_while
from .operators import binary
from .patterns import run_match
from .values import DictValue, ListValue


def execute(frame: Frame, body: Sequence[ast.stmt]) -> None:
    """Run statements in order until none is left that can be reached."""
    for statement in body:
        if frame.path.fails:
            return
        frame.machine.budget.spend()
        before = frame.path
        handler = _HANDLERS.get(type(statement))
        if handler is not None:
            handler(frame, statement)
        _bound_path(frame, statement, before)
        if isinstance(statement, ast.Raise):
            return


def _bound_path(frame: Frame, statement: ast.stmt, before: Condition) -> None:
    """Keep conditions from growing: inside a call the call is given up, inside a loop the path becomes one atom.

    Elsewhere only an exception leaves a module's statements, so that the path is what it was but for those.
    """
    if frame.called is not None and not frame.is_lenient:
        if frame.path.size > frame.most_atoms:
            raise GiveUpError
    elif frame.path.size > PATH_ATOMS:
        passed = frame.unhandled(before)
        is_clear = not frame.loops and passed.size <= PATH_ATOMS
        atom = frame.machine.space.atom(f"{frame.module.name}:{statement.lineno} is passed")
        frame.path = passed if is_clear else atom


def _expression(frame: Frame, node: ast.Expr) -> None:
    frame.evaluate(node.value)


def _assign(frame: Frame, node: ast.Assign) -> None:
    value = frame.evaluate(node.value)
    for target in node.targets:
        assign(frame, target, value)


def _annotated(frame: Frame, node: ast.AnnAssign) -> None:
    if node.value is not None:
        assign(frame, node.target, frame.evaluate(node.value))


def _augmented(frame: Frame, node: ast.AugAssign) -> None:
    old, added = frame.evaluate(node.target), frame.evaluate(node.value)
    if isinstance(old, ListValue) and isinstance(node.op, (ast.Add, ast.BitOr)):
        extend(frame, old, added)
        return
    assign(frame, node.target, lift(frame, [old, added], lambda v: binary(frame, node.op, v[0], v[1], node)))


def _if(frame: Frame, node: ast.If) -> None:
    condition = test(frame, node.test)
    _branch(frame, [(condition, node.body), (~condition, node.orelse)])


def _match(frame: Frame, node: ast.Match) -> None:
    _branch(frame, run_match(frame, node))


def _branch(frame: Frame, branches: list[tuple[Condition, Sequence[ast.stmt]]]) -> None:
    before, after = frame.path, frame.machine.space.false
    for condition, body in branches:
        frame.path = before & condition
        execute(frame, body)
        after = after | frame.path
    frame.path = after


def _return(frame: Frame, node: ast.Return) -> None:
    value = frame.evaluate(node.value) if node.value else None
    frame.returned.append((frame.path, value))
    frame.path = frame.machine.space.false


def _outer(frame: Frame, node: ast.Global | ast.Nonlocal) -> None:
    frame.scope.outer_names.update(node.names)


def _delete(frame: Frame, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name) and frame.path is frame.scope.base:
            frame.scope.names.pop(target.id, None)
        elif isinstance(target, ast.Subscript):
            base, key = frame.evaluate(target.value), frame.evaluate(target.slice)
            if isinstance(base, DictValue):
                remove(frame, base, key)


_HANDLERS: Final[Mapping[type[ast.stmt], Callable[[Frame, Any], None]]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.If: _if,
    ast.For: run_for,
    ast.AsyncFor: run_for,
    ast.While: run_while,
    ast.Break: run_break,
    ast.Continue: run_continue,
    ast.Return: _return,
    ast.Raise: run_raise,
    ast.Try: run_try,
    ast.TryStar: run_try,
    ast.With: run_with,
    ast.AsyncWith: run_with,
    **dict.fromkeys(ANY_FUNCTION, define_function),
    ast.ClassDef: define_class,
    ast.Import: import_modules,
    ast.ImportFrom: import_from,
    ast.Global: _outer,
    ast.Nonlocal: _outer,
    ast.Delete: _delete,
    ast.Match: _match,
}

"""Statements that wait in a module which spells no API: what they bind is worked out when something asks for it.

Such a module is evaluated for a few of its names, which little of the rest bears on. A statement waits until the name
that it binds is looked up, or a line of it turns out to be about ops; or until another is about to bind anew, or to
change, what it mentions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from ..summary.bindings import stored
from ..summary.lines import covers
from ..summary.nodes import walk
from .definitions import class_value, function_value
from .frame import Frame
from .limits import BOUNDS, STATEMENT_WORK
from .modules import Module, Turn
from .values import External, Unknown, Value

if TYPE_CHECKING:
    from .machine import Machine


_WORD: Final = re.compile(r"\w+")
_GLOBAL: Final = re.compile(r"(?:^|[;:])[ \t]*global[ \t]+\w", re.MULTILINE)


def binds_from_within(text: str) -> bool:
    """Whether functions of a module may bind its names, so that calling one does: then nothing of it can wait."""
    return "global" in text and _GLOBAL.search(text) is not None


class Waiting(Struct, eq=False):
    """The statements of one module that wait, by the name that each binds, with the names that they mention."""

    module: Module
    statements: dict[str, ast.stmt] = field(default_factory=dict[str, ast.stmt])
    words: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    mentioned: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def take(self, machine: Machine, statement: ast.stmt) -> bool:
        """Let a statement wait that binds one new name."""
        name, names = _bound_by(statement), self.module.namespace.names
        if name is None or name in names:
            return False
        self.statements[name] = statement
        names.defer(name, partial(_later, machine, self.module, statement, machine.next_turn()))
        return True

    def on(self, lines: Sequence[int]) -> list[str]:
        """The names that statements on some of these lines, which are in order, bind and nothing has asked for yet."""
        return [name for name, node in self._left() if covers(node, lines)]

    def settle_for(self, statement: ast.stmt) -> None:
        """Work out what mentions a name that a statement is about to bind anew, or to change."""
        touched = {name for name in _touched(statement) if not self._is_foreign(name)}
        for name, waiting in self._left() if touched else ():
            if self._may_mention(touched, name, waiting) and not touched.isdisjoint(self._mentioned(name, waiting)):
                self._ask(name)

    def settle(self) -> None:
        """Work out all that can do more than bind its name: what calls something, which may import or fail."""
        for name, node in self._left():
            if _calls(node):
                self._ask(name)

    def _left(self) -> list[tuple[str, ast.stmt]]:
        is_deferred = self.module.namespace.names.is_deferred
        return [(name, node) for name, node in self.statements.items() if is_deferred(name)]

    def _ask(self, name: str) -> None:
        _ = self.module.namespace.names[name]

    def _may_mention(self, names: set[str], name: str, statement: ast.stmt) -> bool:
        """Whether the text of a statement has one of some names: its functions need not be parsed to tell that."""
        if name not in self.words:
            self.words[name] = frozenset(_WORD.findall(self.module.source.written(statement)))
        return not names.isdisjoint(self.words[name])

    def _mentioned(self, name: str, statement: ast.stmt) -> frozenset[str]:
        if name not in self.mentioned:
            found = (node.id for node in walk([statement]) if isinstance(node, ast.Name))
            self.mentioned[name] = frozenset({name, *found})
        return self.mentioned[name]

    def _is_foreign(self, name: str) -> bool:
        names = self.module.namespace.names
        return name not in names or (not names.is_deferred(name) and isinstance(names[name], External))


def _calls(statement: ast.stmt) -> bool:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return bool(statement.decorator_list)
        case _:
            return any(isinstance(node, ast.Call) for node in walk([statement]))


def _bound_by(statement: ast.stmt) -> str | None:
    """The one name that a statement binds."""
    match statement:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            return name
        case _:
            return None


def _touched(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement may bind, or change what they hold. A module is no script while it is imported."""
    match statement:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))) | ast.Expr(value=ast.Constant()):
            return
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import() | ast.ImportFrom():
            yield from stored([statement])
        case ast.If(body=body, orelse=orelse):
            yield from _touched_by([*body, *orelse])
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody):
            yield from _touched_by([*body, *(s for handler in handlers for s in handler.body), *orelse, *finalbody])
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case _:
            yield from (node.id for node in walk([statement]) if isinstance(node, ast.Name))


def _touched_by(statements: Sequence[ast.stmt]) -> Iterator[str]:
    return (name for statement in statements for name in _touched(statement))


def _later(machine: Machine, module: Module, statement: ast.stmt, turn: Turn) -> Value:
    """What a statement binds, worked out as the import would have done it."""
    outer, place = machine.state, f"{module.name}:{statement.lineno}"
    machine.begin(STATEMENT_WORK)
    frame = Frame(machine, module, module.namespace, machine.space.true, runner=module.name)
    try:
        with machine.made_up_for(turn):
            return _value(frame, statement)
    except BOUNDS:
        machine.give_up(frame, place, statement)
        return Unknown(place)
    finally:
        machine.state = outer


def _value(frame: Frame, statement: ast.stmt) -> Value:
    if isinstance(statement, ast.ClassDef):
        return class_value(frame, statement)
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return function_value(frame, statement)
    value: ast.expr = getattr(statement, "value")  # noqa: B009 - an assignment, as nothing else waits
    return frame.evaluate(value)

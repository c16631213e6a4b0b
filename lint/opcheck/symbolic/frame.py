"""The state of one evaluation: a module body, a class body, or one call of a function."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msgspec import Struct, field

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from .scope import Scope
from .values import FunctionValue, Items, ListValue, Value

if TYPE_CHECKING:
    from .machine import Machine
    from .modules import Module


class Attempt(Struct, eq=False):
    """A `try` whose body is being evaluated: what each handler handles, and under which condition it was needed.

    `handlers` holds the exception names of each handler, None for one that handles all of them.
    """

    handlers: tuple[frozenset[str] | None, ...]
    outer: Attempt | None
    escaped: list[Condition]

    def handler_of(self, *exceptions: str) -> int | None:
        """The first handler that one of these exceptions ends in."""
        for i, names in enumerate(self.handlers):
            if names is None or not names.isdisjoint(exceptions):
                return i
        return None


class Loop(Struct, eq=False):
    """A loop being evaluated: under which conditions it was left, and the present round was.

    `is_open` says that it may go round more often than was seen.
    """

    broken: Condition
    continued: Condition
    is_open: bool = False


class Frame(Struct, eq=False):
    """One body being evaluated. `path` is the condition under which the present statement runs.

    `called` is the function whose call this is, None in a module or class body. `returned` gathers the guarded results,
    and `hypothetical` marks the body of a function that nothing calls at import, evaluated to see what it would
    register. `most_atoms` bounds the path inside a call, `owner` begins the qualified names of what is defined here,
    and `runner` is the module whose import runs this. In a body that `is_lenient` the path is cut short where it grows
    too long, as in a module, and a call that is too much is given up by itself.
    """

    machine: Machine
    module: Module
    scope: Scope
    path: Condition
    called: FunctionValue | None = None
    attempt: Attempt | None = None
    hypothetical: bool = False
    depth: int = 0
    returned: Items = field(default_factory=list[tuple[Condition, "Value"]])
    loops: list[Loop] = field(default_factory=list[Loop])
    yielded: ListValue | None = None
    most_atoms: int = 0
    owner: str = ""
    runner: str = ""
    is_lenient: bool = False

    @property
    def at_import(self) -> bool:
        """Whether the statement stands in a module's own body, outside any function and loop."""
        return self.called is None and not self.loops

    @property
    def in_open_loop(self) -> bool:
        """Whether the statement may run more often than it was evaluated."""
        return any(loop.is_open for loop in self.loops)

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression."""
        return self.machine.evaluate(self, node)

    def span(self, node: ast.expr | ast.stmt | ast.excepthandler) -> Span:
        """Where a node stands."""
        return self.module.source.span(node)

    def name_of(self, node: ast.expr) -> str:
        """How the value of `node` is written in a condition: its resolved expression."""
        return self.machine.describe_node(self, node)

    def fail(self, condition: Condition, *exceptions: str) -> None:
        """Let an exception be raised here under `condition`: the innermost `try` that handles it takes that part of the
        path.

        Where nothing handles it the path stays whole: a statement predicted to raise is treated as if it had succeeded,
        and the module remembers that it may fail.
        """
        lost = self.path & condition
        attempt = self.attempt
        while attempt is not None:
            handler = attempt.handler_of(*exceptions)
            if handler is not None:
                attempt.escaped[handler] = attempt.escaped[handler] | lost
                self.path = self.path & ~lost
                return
            attempt = attempt.outer
        if self.called is None:
            self.module.failure = self.module.failure | lost

    def unhandled(self, path: Condition) -> Condition:
        """What is left of `path` once the exceptions that some `try` around here took are out of it."""
        attempt = self.attempt
        while attempt is not None:
            for escaped in attempt.escaped:
                path = path & ~escaped
            attempt = attempt.outer
        return path

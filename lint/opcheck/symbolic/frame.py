"""The state of one evaluation: a module body, a class body, or one call of a function."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from .scope import Scope
from .values import FunctionValue, Value

if TYPE_CHECKING:
    from .machine import Machine
    from .modules import Module


@dataclass(eq=False, slots=True)
class Attempt:
    """A `try` whose body is being evaluated: which exceptions it handles, and under which condition one was raised.

    `catches` holds exception names, None where it handles all of them.
    """

    catches: frozenset[str] | None
    outer: Attempt | None
    escaped: Condition

    def handles(self, *exceptions: str) -> bool:
        """Whether any of these exceptions ends here."""
        return self.catches is None or not self.catches.isdisjoint(exceptions)


@dataclass(eq=False, slots=True)
class Loop:
    """A loop being evaluated: under which conditions it was left, and the present round was."""

    broken: Condition
    continued: Condition


@dataclass(eq=False)
class Frame:
    """One body being evaluated. `path` is the condition under which the present statement runs.

    `called` is the function whose call this is, None in a module or class body. `returned` gathers the guarded results,
    and `hypothetical` marks the body of a function that nothing calls at import, evaluated to see what it would
    register. `most_atoms` bounds the path inside a call, `owner` begins the qualified names of what is defined here,
    and `runner` is the module whose import runs this.
    """

    machine: Machine
    module: Module
    scope: Scope
    path: Condition
    called: FunctionValue | None = None
    attempt: Attempt | None = None
    hypothetical: bool = False
    depth: int = 0
    returned: list[tuple[Condition, Value]] = field(default_factory=list[tuple[Condition, "Value"]])
    loops: list[Loop] = field(default_factory=list[Loop])
    yielded: list[tuple[Condition, Value]] | None = None
    most_atoms: int = 0
    owner: str = ""
    runner: str = ""

    @property
    def at_import(self) -> bool:
        """Whether the statement stands in a module's own body, outside any function and loop."""
        return self.called is None and not self.loops

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression."""
        return self.machine.evaluate(self, node)

    def span(self, node: ast.expr | ast.stmt | ast.excepthandler) -> Span:
        """Where a node stands."""
        return self.module.source.span(node)

    def truth(self, value: Value) -> Condition:
        """The condition under which `value` is true."""
        return self.machine.truth(self, value)

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
        if lost.fails:
            return
        attempt = self.attempt
        while attempt is not None and not attempt.handles(*exceptions):
            attempt = attempt.outer
        if attempt is not None:
            attempt.escaped = attempt.escaped | lost
            self.path = self.path & ~lost
        elif self.called is None:
            self.module.failure = self.module.failure | lost

    def unhandled(self, path: Condition) -> Condition:
        """What is left of `path` once the exceptions that some `try` around here took are out of it."""
        attempt = self.attempt
        while attempt is not None:
            path = path & ~attempt.escaped
            attempt = attempt.outer
        return path

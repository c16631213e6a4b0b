"""The tests around a use, as conditions: those that no name of a function's own decides."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from opcheck_rules.model.condition import Condition

from ..summary.bindings import stored
from ..summary.nodes import children, walk
from ..symbolic.frame import Frame
from ..symbolic.limits import CALL_ATOMS, PATH_ATOMS
from ..symbolic.machine import Machine
from ..symbolic.modules import Module
from ..symbolic.truth import truth
from .scene import Guard

_MOST_GUARDS: Final = 16
"""Tests around one use, the nearest first, that its condition is made of."""
_MOST_TESTS: Final = 1_000
"""Tests of one project that are worked out."""
_ROUNDS: Final = (
    *(ast.For, ast.AsyncFor, ast.While),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


@dataclass(eq=False)
class Guards:
    """The conditions of a project's tests, each worked out once."""

    machine: Machine
    known: dict[int, Condition | None] = field(default_factory=dict[int, "Condition | None"])
    rounds: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def condition(self, guard: Guard | None) -> Condition:
        """The condition under which every test around a place comes out as it has to."""
        result, left = self.machine.space.true, _MOST_GUARDS
        while guard is not None and left:
            asked = self._asked(guard)
            if asked is not None and (result.atoms | asked.atoms).bit_count() > PATH_ATOMS:
                return self.machine.space.true
            if asked is not None:
                result = result & (asked if guard.holds else ~asked)
            guard, left = guard.outer, left - 1
        return result if result.size <= CALL_ATOMS else self.machine.space.true

    def is_script(self, guard: Guard | None) -> bool:
        """Whether a test asks if the module is the script that runs."""
        while guard is not None:
            if any(isinstance(node, ast.Name) and node.id == "__name__" for node in walk([guard.test])):
                return True
            guard = guard.outer
        return False

    def _asked(self, guard: Guard) -> Condition | None:
        """What one test asks; None where that is no question about the project as a whole."""
        key = id(guard.test)
        if key not in self.known:
            is_asked = len(self.known) < _MOST_TESTS and not self._is_own(guard)
            self.known[key] = self._evaluated(guard) if is_asked else None
        return self.known[key]

    def _is_own(self, guard: Guard) -> bool:
        """Whether a test asks about what changes while the body runs, or whether the module is a script."""
        names = {node.id for node in walk([guard.test]) if isinstance(node, ast.Name)}
        if "__name__" in names or not names.isdisjoint(guard.body.own):
            return True
        return bool(names) and not names.isdisjoint(self._rounds(guard.body.module))

    def _rounds(self, module: Module) -> frozenset[str]:
        """The names that are bound in loops, where their last value says nothing of the others."""
        if module.name not in self.rounds:
            self.rounds[module.name] = stored(_loops(module.source.tree))
        return self.rounds[module.name]

    def _evaluated(self, guard: Guard) -> Condition | None:
        machine, body = self.machine, guard.body
        frame = Frame(machine, body.module, body.scope, machine.space.true, hypothetical=True, runner=body.module.name)
        effects, edges, loads = len(machine.effects), len(machine.edges), len(machine.loads)
        found = machine.aside(lambda: _asked(frame, guard.test), None)
        # What a test would register or import it did when it was run.
        del machine.effects[effects:], machine.edges[edges:], machine.loads[loads:]
        return None if found is not None and _may_be_switched(guard, found) else found


def _asked(frame: Frame, test: ast.expr) -> Condition | None:
    return truth(frame, frame.evaluate(test))


def _loops(tree: ast.Module) -> Iterator[ast.AST]:
    """The loops and comprehensions of a file that lie in no other."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, _ROUNDS):
            yield node
        else:
            stack += children(node)


def _may_be_switched(guard: Guard, asked: Condition) -> bool:
    """Whether a test asks about a switch of the project's own, which may be set between the import and the call."""
    return guard.body.function is not None and (asked.holds or asked.fails)

"""One symbolic import of a whole project."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, TypeVar

from .demand import declaring, demand_importers, reach_by_calls
from .frame import Frame
from .functions import call_function, hypothetical_arguments
from .limits import BOUNDS, ENCLOSING_WORK, HYPOTHETICAL_WORK, MOST_HYPOTHETICAL_RUNS
from .machine import Machine
from .mentions import Mentions, registering_names
from .scope import Scope
from .telling import Telling
from .values import ClassValue, FunctionValue, Instance, Value

_T = TypeVar("_T")
_STACK: Final = 512 * 1024 * 1024
_RECURSION: Final = 20_000


def run_deep(act: Callable[[], _T]) -> _T:
    """Run `act` where deep nesting is no error: imports and expressions nest as deep as the project's do."""
    results: list[_T] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(act())
        except BaseException as error:
            errors.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
    sys.setrecursionlimit(_RECURSION)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    if errors:
        raise errors[0]
    return results[0]


def symbolic_import(
    machine: Machine,
    first: Sequence[str],
    mentions: Mentions,
    telling: Telling,
    complete: Callable[[], None] = lambda: None,
) -> None:
    """Evaluate what matters of a project, the entries first, and then what functions would register that nothing calls.

    Only functions that register, or call one that does, are worth evaluating as if they were called. `complete` goes on
    from what was put on record.
    """
    for name in [*first, *declaring(machine)]:
        if name in machine.layout.files:
            machine.load_module(name)
    if machine.outlines:
        machine.concerns, machine.covers = telling.concerns, telling.covers
    uncalled = _Uncalled(machine, mentions)
    while True:
        known = len(machine.modules), len(machine.functions)
        telling.spread()
        uncalled.run()
        complete()
        demand_importers(machine, first, telling.concerned)
        if known == (len(machine.modules), len(machine.functions)):
            break
    reach_by_calls(machine, first)
    machine.is_closed = True
    machine.space.release()


@dataclass(eq=False)
class _Uncalled:
    """The functions that nothing calls at import, each evaluated once."""

    machine: Machine
    mentions: Mentions
    done: set[int] = field(default_factory=set[int])
    runs: Counter[int] = field(default_factory=Counter[int])

    def run(self) -> None:
        """Evaluate those that would register something if they were called."""
        while waiting := [f for f in self._telling() if id(f) not in self.done]:
            self.done.update(map(id, waiting))
            enclosing = [f for f in waiting if self.mentions.encloses(f)]
            for function in enclosing:
                if self._may_run(function):
                    _run_by_itself(self.machine, function)
            names = registering_names(self._telling(), self.mentions)
            for function in waiting:
                registers = self.mentions.registers(function.node, function.module, names)
                if registers and not function.called and not self._is_described(function) and self._may_run(function):
                    _run_hypothetically(self.machine, function)

    def _is_described(self, function: FunctionValue) -> bool:
        """Whether calling it registers, as a description says: its body only carries that out."""
        watcher = self.machine.watcher
        return watcher is not None and watcher.meaning(function) is not None

    def _may_run(self, function: FunctionValue) -> bool:
        """A function that makes another each time it runs, which calls it, would never end."""
        self.runs[id(function.node)] += 1
        return self.runs[id(function.node)] <= MOST_HYPOTHETICAL_RUNS

    def _telling(self) -> list[FunctionValue]:
        return [f for f in self.machine.functions if self.machine.concerns(f)]


def _run_hypothetically(machine: Machine, function: FunctionValue) -> None:
    """Evaluate a body under the condition that somebody calls it, with arguments that nothing is known of."""
    machine.begin(HYPOTHETICAL_WORK)
    machine.state.guarded = True
    with suppress(*BOUNDS):
        callee, receiver = _receiver(machine, function)
        machine.call(_outside(machine, function), callee, hypothetical_arguments(function, receiver))


def _run_by_itself(machine: Machine, function: FunctionValue) -> None:
    """The same for a function of which only its own body matters: a call in it that is too much ends alone."""
    machine.begin(ENCLOSING_WORK)
    frame, (_, receiver) = _outside(machine, function), _receiver(machine, function)
    frame.is_lenient = True
    with suppress(*BOUNDS):
        call_function(frame, function, hypothetical_arguments(function, receiver))


def _outside(machine: Machine, function: FunctionValue) -> Frame:
    """Where somebody calls a function."""
    called = machine.space.atom(f"called:{function.qualname}")
    scope = Scope(machine.space.true, function.qualname)
    frame = Frame(machine, function.module, scope, function.scope.base & called, hypothetical=True)
    frame.runner = function.module.name
    return frame


def _receiver(machine: Machine, function: FunctionValue) -> tuple[Value, Value]:
    """What a method is called on: an object of its class of which no attribute is known but what the class holds."""
    owner = machine.owner_of(function)
    if owner is None or function.kind == "staticmethod":
        return function, None
    receiver = owner if function.kind == "classmethod" else _anybody(owner)
    return function, receiver


def _anybody(cls: ClassValue) -> Instance:
    return Instance(cls, Scope(cls.scope.base, cls.qualname), is_open=True)

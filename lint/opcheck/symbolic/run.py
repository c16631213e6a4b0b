"""One symbolic import of a whole project."""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from .classes import class_attribute
from .frame import Frame
from .functions import hypothetical_arguments
from .limits import BOUNDS, HYPOTHETICAL_WORK, Budget
from .machine import Machine
from .scope import Scope
from .values import BoundMethod, ClassValue, FunctionValue, Instance, Value

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


def symbolic_import(machine: Machine, first: Iterable[str], registering: frozenset[str]) -> None:
    """Evaluate every module, the entries first, and then what functions would register that nothing calls at import.

    `registering` are the names by which code that registers can be told: only functions that use one, or call one that does,
    are worth evaluating for what they would do if they were called.
    """
    for name in [*first, *sorted(machine.layout.files)]:
        if name in machine.layout.files and machine.layout.files[name] in machine.sources:
            machine.load_module(name)
    _run_uncalled(machine, registering)


def _run_uncalled(machine: Machine, registering: frozenset[str]) -> None:
    names = _registering_names(machine, registering)
    done: set[int] = set()
    waiting = list(machine.functions)
    while waiting:
        for function in waiting:
            done.add(id(function))
            if not function.called and _uses(function.node, names):
                _run_hypothetically(machine, function)
        waiting = [f for f in machine.functions if id(f) not in done]


def _registering_names(machine: Machine, registering: frozenset[str]) -> frozenset[str]:
    """The names of functions and classes that may register something, directly or through each other."""
    mentions = [(f.name, _identifiers(f.node)) for f in machine.functions]
    mentions += [(c.name, _identifiers(c.node)) for c in machine.classes if c.node is not None]
    names, grown = set(registering), True
    while grown:
        found = {name for name, used in mentions if name not in names and not used.isdisjoint(names)}
        found = {name for name in found if not name.startswith("__") and name != "<lambda>"}
        names |= found
        grown = bool(found)
    return frozenset(names)


def _identifiers(node: ast.AST) -> frozenset[str]:
    return frozenset(_mentioned(node))


def _mentioned(node: ast.AST) -> Iterator[str]:
    for child in ast.walk(node):
        if isinstance(child, ast.Name):
            yield child.id
        elif isinstance(child, ast.Attribute):
            yield child.attr
        elif isinstance(child, (ast.Import, ast.ImportFrom)):
            yield "import"


def _uses(node: ast.AST, names: frozenset[str]) -> bool:
    return any(name in names for name in _mentioned(node))


def _run_hypothetically(machine: Machine, function: FunctionValue) -> None:
    """Evaluate a body under the condition that somebody calls it, with arguments that nothing is known of."""
    called = machine.space.atom(f"called:{function.qualname}")
    scope = Scope(machine.space.true, function.qualname)
    frame = Frame(machine, function.module, scope, function.scope.base & called, hypothetical=True)
    frame.runner = function.module.name
    callee, receiver = _receiver(machine, function)
    machine.budget, machine.guarded = Budget(HYPOTHETICAL_WORK), True
    try:
        machine.call(frame, callee, hypothetical_arguments(function, receiver))
    except BOUNDS:
        machine.stack.clear()
    machine.guarded = False


def _receiver(machine: Machine, function: FunctionValue) -> tuple[Value, Value]:
    """What a method is called on: an object of its class of which no attribute is known but what the class holds."""
    owner = next((c for c in machine.classes if c.scope is function.scope), None)
    if owner is None or function.kind == "staticmethod":
        return function, None
    receiver = owner if function.kind == "classmethod" else _anybody(owner)
    return function, receiver


def _anybody(cls: ClassValue) -> Instance:
    return Instance(cls, Scope(cls.scope.base, cls.qualname), is_open=True)


__all__ = ["BoundMethod", "class_attribute", "run_deep", "symbolic_import"]

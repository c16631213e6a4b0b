"""One symbolic import of a whole project."""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, TypeAlias, TypeVar

from ..summary.nodes import walk
from .frame import Frame
from .functions import hypothetical_arguments
from .limits import BOUNDS, HYPOTHETICAL_WORK
from .machine import Machine
from .modules import Module
from .scope import Scope
from .values import ClassValue, FunctionValue, Instance, Value

_T = TypeVar("_T")
Body: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
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


def symbolic_import(machine: Machine, first: Iterable[str], registering: Mapping[str, frozenset[str]]) -> None:
    """Evaluate every module, the entries first, and then what functions would register that nothing calls at import.

    `registering` maps a text that a file must hold to the names by which code there that registers can be told: only
    functions that use one, or call one that does, are worth evaluating for what they would do if they were called.
    """
    for name in [*first, *sorted(machine.layout.files)]:
        if name in machine.layout.files:
            machine.load_module(name)
    _run_uncalled(machine, registering)
    machine.space.release()


def _run_uncalled(machine: Machine, registering: Mapping[str, frozenset[str]]) -> None:
    mentions = _Mentions(registering)
    names = _registering_names(machine, mentions)
    done: set[int] = set()
    waiting = list(machine.functions)
    while waiting:
        for function in waiting:
            done.add(id(function))
            if not function.called and mentions.registers(function.node, function.module, names):
                _run_hypothetically(machine, function)
        waiting = [f for f in machine.functions if id(f) not in done]


@dataclass(eq=False)
class _Mentions:
    """The names that each body mentions, found once."""

    registering: Mapping[str, frozenset[str]]
    found: dict[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])
    direct: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def of(self, node: Body) -> frozenset[str]:
        """The names a body mentions."""
        if id(node) not in self.found:
            self.found[id(node)] = frozenset(_mentioned(node))
        return self.found[id(node)]

    def registers(self, node: Body, module: Module, names: frozenset[str]) -> bool:
        """Whether a body uses a registering name of its own, or calls what is known to register."""
        if module.name not in self.direct:
            texts = [self.registering[text] for text in self.registering if text in module.source.text]
            self.direct[module.name] = frozenset().union(*texts)
        mentioned = self.of(node)
        return not mentioned.isdisjoint(self.direct[module.name]) or not mentioned.isdisjoint(names)


def _registering_names(machine: Machine, mentions: _Mentions) -> frozenset[str]:
    """The names of helpers that register what they are told to, directly or through each other.

    Only a function with parameters can be told: what any other registers is found by evaluating that one alone.
    """
    helpers = [f for f in machine.functions if _has_parameters(f.node) and f.name not in _ANY_CALLER]
    helpers = [f for f in helpers if not f.name.startswith("__")]
    names: frozenset[str] = frozenset()
    while True:
        told = [f for f in helpers if f.name not in names and mentions.registers(f.node, f.module, names)]
        if not told:
            return names
        names |= {f.name for f in told}


def _has_parameters(node: Body) -> bool:
    spec = node.args
    names = [a.arg for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *filter(None, (spec.vararg, spec.kwarg)))]
    return bool([n for n in names if n not in ("self", "cls")])


# A call of one of these says nothing of whom it calls.
_ANY_CALLER: Final = frozenset({"<lambda>", "_", "forward", "run", "main", "inner", "wrapper", "decorator", "wrap"})


def _mentioned(node: Body) -> Iterator[str]:
    """The names in a function's body. Its own decorators and defaults belong to where it is defined."""
    for child in walk([node.body] if isinstance(node, ast.Lambda) else node.body):
        if isinstance(child, ast.Name):
            yield child.id
        elif isinstance(child, ast.Attribute):
            yield child.attr


def _run_hypothetically(machine: Machine, function: FunctionValue) -> None:
    """Evaluate a body under the condition that somebody calls it, with arguments that nothing is known of."""
    machine.begin(HYPOTHETICAL_WORK)
    machine.state.guarded = True
    with suppress(*BOUNDS):
        called = machine.space.atom(f"called:{function.qualname}")
        scope = Scope(machine.space.true, function.qualname)
        frame = Frame(machine, function.module, scope, function.scope.base & called, hypothetical=True)
        frame.runner = function.module.name
        callee, receiver = _receiver(machine, function)
        machine.call(frame, callee, hypothetical_arguments(function, receiver))


def _receiver(machine: Machine, function: FunctionValue) -> tuple[Value, Value]:
    """What a method is called on: an object of its class of which no attribute is known but what the class holds."""
    owner = next((c for c in machine.classes if c.scope is function.scope), None)
    if owner is None or function.kind == "staticmethod":
        return function, None
    receiver = owner if function.kind == "classmethod" else _anybody(owner)
    return function, receiver


def _anybody(cls: ClassValue) -> Instance:
    return Instance(cls, Scope(cls.scope.base, cls.qualname), is_open=True)

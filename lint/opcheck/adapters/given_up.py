"""Calls that were too much to evaluate to the end, and what they might still have registered."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ..summary.nodes import walk
from ..symbolic.machine import Machine
from ..symbolic.modules import Module
from ..symbolic.reach import Reach
from ..symbolic.values import FunctionValue


class GivenUp(Struct, frozen=True):
    """A call that may have registered more than was seen of it, in a module that `entries` lead to."""

    condition: Condition
    text: str
    span: Span
    module: str
    entries: frozenset[str]

    def is_with(self, entries: Iterable[str]) -> bool:
        """Whether each of these entries runs it, too: no process has the one without the other."""
        return all(any(part in self.entries or part == self.module for part in ancestors(entry)) for entry in entries)


def ancestors(module: str) -> Iterable[str]:
    """A module and the packages it lies in: importing it runs them."""
    parts = module.split(".")
    return (".".join(parts[: i + 1]) for i in range(len(parts)))


def given_up(
    machine: Machine, reach: Reach, text: str, names: frozenset[str], beside: frozenset[str] = frozenset()
) -> tuple[GivenUp, ...]:
    """The calls given up that may register what a framework's `names` do, in files that hold `text`.

    Code that does has the names of `beside` in it as well: that of the object whose method registers.
    """
    if not machine.unread:
        return ()
    registering = _registering(machine, text, names, beside)
    return tuple(
        GivenUp(call.condition & reach.conditions[call.runner], call.text, call.span, call.runner, entries)
        for call in machine.unread
        if (entries := reach.entries[call.runner])
        and (mentioned := _mentioned(call.node))
        and not mentioned.isdisjoint(registering | _direct(mentioned, call.module, text, names, beside))
    )


def _registering(machine: Machine, text: str, names: frozenset[str], beside: frozenset[str]) -> frozenset[str]:
    """The names of the functions that register, by their own text or by that of those they call."""
    bodies = [
        (_called(f), mentioned, _direct(mentioned, f.module, text, names, beside))
        for f in machine.functions
        if machine.concerns(f)
        for mentioned in [_mentioned(*_body(f.node))]
    ]
    found = frozenset(name for name, mentioned, direct in bodies if mentioned & direct)
    while more := {name for name, mentioned, _ in bodies if mentioned & found} - found:
        found |= more
    return found - {""}


def _body(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Sequence[ast.AST]:
    """What a call of a function runs: its decorators and defaults belong to where it is defined."""
    return [node.body] if isinstance(node, ast.Lambda) else node.body


def _called(function: FunctionValue) -> str:
    """The name that a call of a function is told by: its class's where it makes an object, none where many share it."""
    if function.name == "__init__":
        return function.qualname.split(".")[-2]
    return "" if function.name.startswith(("_", "<")) and len(function.name.strip("_")) < 2 else function.name


def _direct(
    mentioned: frozenset[str], module: Module, text: str, names: frozenset[str], beside: frozenset[str]
) -> frozenset[str]:
    return names if text in module.source.text and beside <= mentioned else frozenset()


@lru_cache(maxsize=8192)
def _mentioned(*code: ast.AST) -> frozenset[str]:
    """The names that some code mentions."""
    found = list(walk(code))
    names = (node.id for node in found if isinstance(node, ast.Name))
    return frozenset([*names, *(node.attr for node in found if isinstance(node, ast.Attribute))])

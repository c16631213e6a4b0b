"""Calls that were too much to evaluate to the end, and what they might still have registered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ..summary.nodes import body_of
from ..symbolic.machine import Machine
from ..symbolic.mentions import names_in
from ..symbolic.modules import Module
from ..symbolic.reach import Reach
from ..symbolic.values import FunctionValue

_Body: TypeAlias = tuple[frozenset[str], Module]
"""The names that a function's body mentions, and the module that it lies in."""


class GivenUp(Struct, frozen=True):
    """A call that may have registered more than was seen of it, in a module that `entries` lead to."""

    condition: Condition
    text: str
    span: Span
    entries: frozenset[str]


def given_up(
    machine: Machine, reach: Reach, text: str, names: frozenset[str], beside: frozenset[str] = frozenset()
) -> tuple[GivenUp, ...]:
    """The calls given up that may register what a framework's `names` do, in files that hold `text`.

    Code that does has the names of `beside` in it as well: that of the object whose method registers.
    """

    def is_direct(mentioned: frozenset[str], module: Module) -> bool:
        return beside <= mentioned and not mentioned.isdisjoint(names) and text in module.source.text

    if not machine.unread:
        return ()
    calls = [(call, names_in([call.node])) for call in machine.unread if reach.entries[call.runner]]
    registering = _registering(_led_to(machine, [mentioned for _, mentioned in calls]), is_direct)
    return tuple(
        GivenUp(call.condition & reach.conditions[call.runner], call.text, call.span, reach.entries[call.runner])
        for call, mentioned in calls
        if is_direct(mentioned, call.module) or not mentioned.isdisjoint(registering)
    )


def _led_to(machine: Machine, mentioned: Iterable[frozenset[str]]) -> dict[str, list[_Body]]:
    """The bodies of what some code calls, and so on from there, by the name that each is called by."""
    functions: dict[str, list[FunctionValue]] = defaultdict(list)
    for function in filter(machine.concerns, machine.functions):
        functions[_called(function)].append(function)
    bodies: dict[str, list[_Body]] = {}
    waiting = [*mentioned]
    while waiting:
        for name in waiting.pop() & functions.keys() - bodies.keys():
            bodies[name] = [(names_in(body_of(f.node)), f.module) for f in functions[name]]
            waiting += [names for names, _ in bodies[name]]
    return bodies


def _registering(bodies: Mapping[str, list[_Body]], is_direct: Callable[[frozenset[str], Module], bool]) -> set[str]:
    """The names of the functions that register, by their own text or by that of those they call."""
    found = {name for name, alike in bodies.items() if any(is_direct(*body) for body in alike)}
    while more := {n for n, alike in bodies.items() if not all(found.isdisjoint(names) for names, _ in alike)} - found:
        found |= more
    return found


def _called(function: FunctionValue) -> str:
    """The name that a call of a function is told by: its class's where it makes an object, none where many share it."""
    if function.name == "__init__":
        return function.qualname.split(".")[-2]
    return "" if function.name.startswith(("_", "<")) and len(function.name.strip("_")) < 2 else function.name

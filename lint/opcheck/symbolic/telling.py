"""Who declares or uses ops through names of other modules: what leads to an op tells, and so does what mentions it.

A file that imports such a name is demanded, though nothing in its own text says that it is about ops.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from ..summary.imports import Import
from ..summary.lines import covers, lines_of
from .entries import named_modules
from .machine import Machine
from .mentions import Mentions
from .modules import Module
from .parts import parts
from .values import (
    ClassValue,
    FunctionValue,
    Instance,
    ModuleValue,
    Partial,
    Value,
)


class Tale(NamedTuple):
    """A name of a module that tells. What follows the name where it matters is a call of it, or of a method."""

    module: str
    name: str
    follows: str


@dataclass(eq=False)
class Telling:
    """What of a project is known to lead to ops.

    `tells` says so of a value, `spots` where a text spells the API itself. `nodes` are the functions that do.
    """

    machine: Machine
    tells: Callable[[Value], bool]
    spots: Callable[[str], Iterable[int]]
    mentions: Mentions
    nodes: set[int] = field(default_factory=set[int])
    known: set[Tale] = field(default_factory=set[Tale])
    searched: set[Tale] = field(default_factory=set[Tale])
    untold: dict[str, list[FunctionValue]] = field(default_factory=lambda: defaultdict(list))
    lines: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    seen: int = 0
    looked_at: int = 0
    concerned: set[str] = field(default_factory=set[str])
    begun: int = 0
    waiting: list[Tale] = field(default_factory=list[Tale])
    holding: dict[str, Module] = field(default_factory=dict[str, Module])

    def __post_init__(self) -> None:
        self.users = _users(self.machine)

    def spread(self) -> None:
        """Follow every name that tells to the functions and the modules that mention it."""
        while True:
            for module in list(islice(self.machine.modules.values(), self.begun, None)):
                self.begun += 1
                self._begin(module)
            self._mark_made()
            if not self.waiting:
                self._tell_holding()
            if not self.waiting:
                return
            tale = self.waiting.pop()
            self._search(tale)
            self._hand_on(tale)

    def _mark_made(self) -> None:
        """Let functions tell that were made since by running those around them."""
        made = {f.module.name: f.module for f in self.machine.functions[self.looked_at :]}
        self.looked_at = len(self.machine.functions)
        for name in made.keys() & self.lines.keys():
            self._mark_lines(made[name], self.lines[name])

    def concerns(self, what: FunctionValue | Module) -> bool:
        """Whether a function, or a module's own body, may declare or use an op."""
        return what.name in self.concerned if isinstance(what, Module) else id(what.node) in self.nodes

    def covers(self, module: Module, node: ast.stmt | ast.Lambda) -> bool:
        """Whether something written in a module has a line that may be about ops."""
        return covers(node, self.lines.get(module.name, ()))

    def _tell(self, module: str, name: str, follows: str = "") -> None:
        tale = Tale(module, name, follows)
        if tale not in self.known and name != "_":
            self.known.add(tale)
            self.waiting.append(tale)

    def _begin(self, module: Module) -> None:
        for name, value in module.namespace.names.found():
            if self._leads(value, 3):
                self._tell(module.name, name)
        self._mark(module, self.spots(module.source.text))
        self.waiting += [tale for tale in self.known if tale.module == module.name]

    def _leads(self, value: Value, depth: int) -> bool:
        """Whether a value tells, or holds one that does."""
        return self.tells(value) or (depth > 0 and any(self._leads(part, depth - 1) for part in _parts(value)))

    def _search(self, tale: Tale) -> None:
        """Mark what in its own module mentions the name."""
        module = self.machine.modules.get(tale.module)
        if module is not None and tale not in self.searched:
            self.searched.add(tale)
            self._mark(module, _occurrences(module.source.text, tale.name, tale.follows))

    def _mark(self, module: Module, places: Iterable[int]) -> None:
        """Let what stands at some places of a file tell."""
        lines = lines_of(module.source.text, sorted(places))
        if lines:
            self.concerned.add(module.name)
            self.lines[module.name] = sorted({*self.lines.get(module.name, ()), *lines})
            self._mark_lines(module, lines)

    def _mark_lines(self, module: Module, lines: Sequence[int]) -> None:
        """Let the functions around some lines of a file tell, and what else holds them."""
        self._settle(module, lines)
        told = [function for function in self._untold(module) if covers(function.node, lines)]
        if told:
            self.holding[module.name] = module
        self.nodes.update(id(function.node) for function in told)
        for function in told:
            self._tell_function(function)
            self._find_mentioned(function)

    def _tell_holding(self) -> None:
        """Let names tell that hold a function which does, of the modules that there are new ones in."""
        for module in self.holding.values():
            for name, value in module.namespace.names.found():
                if self._holds(value, 2):
                    self._tell(module.name, name)
        self.holding.clear()

    def _settle(self, module: Module, lines: Sequence[int]) -> None:
        """Work out what waited on some lines, now that these may be about ops: what comes of it may be, too."""
        for name in module.waiting.on(lines) if module.waiting is not None else ():
            value = module.namespace.names[name]
            if not isinstance(value, (FunctionValue, ClassValue)) or value.name != name or self._leads(value, 3):
                self._tell(module.name, name)

    def _find_mentioned(self, function: FunctionValue) -> None:
        """Look for the values of what a function mentions: what it does with an op may hang on them.

        A function or a class of another module that does not tell is none that anything hangs on.
        """
        names, mentioned = function.module.namespace.names, self.mentions.of(function.node)
        for name in sorted(mentioned):
            if name not in names or self._is_definition(function.module, name):
                continue
            value = names[name]
            if isinstance(value, ModuleValue) and value.module.is_untouched and self._assigns(value.module, mentioned):
                self.machine.evaluate_module(value.module)

    def _is_definition(self, module: Module, name: str) -> bool:
        """Whether a name that is imported, and not looked for yet, is a function or a class where it comes from."""
        origin = module.origins.get(name) if module.namespace.names.is_deferred(name) else None
        source, _, original = (origin or "").rpartition(".")
        source = self.machine.layout.canonical(source)
        return source in self.machine.outlines and original in _definitions(self.machine.text_of(source))

    def _assigns(self, module: Module, mentioned: frozenset[str]) -> bool:
        """Whether a module binds one of these names to anything but a function or a class."""
        imports = self.machine.outlines[module.name].imports if module.name in self.machine.outlines else ()
        bound = {bound for statement in imports for _, bound in statement.names or ()}
        return not mentioned.isdisjoint(bound | _assigned(self.machine.text_of(module.name)))

    def _untold(self, module: Module) -> list[FunctionValue]:
        """The functions of a module that do not tell so far."""
        for function in self.machine.functions[self.seen :]:
            self.untold[function.module.name].append(function)
        self.seen = len(self.machine.functions)
        self.untold[module.name] = [f for f in self.untold[module.name] if id(f.node) not in self.nodes]
        return self.untold[module.name]

    def _holds(self, value: Value, depth: int) -> bool:
        """Whether a value that is no definition holds a function that tells."""
        if isinstance(value, FunctionValue):
            return depth < 2 and id(value.node) in self.nodes
        parts = () if isinstance(value, ClassValue) else _parts(value)
        return depth > 0 and any(self._holds(part, depth - 1) for part in parts)

    def _tell_function(self, function: FunctionValue) -> None:
        owner, registers = self.machine.owner_of(function), self.mentions.directly(function)
        if owner is None:
            if function.scope is function.module.namespace:
                self._tell(function.module.name, function.name, "" if registers else "(")
        elif registers:
            self._tell(owner.module.name, owner.name)
        else:
            self._tell(owner.module.name, owner.name, f".{function.name}(")

    def _hand_on(self, tale: Tale) -> None:
        """Demand who imports the name, or a module through which it can be reached, and goes on as the tale does."""
        for user, bound in self._takers(tale):
            if f"{bound}{tale.follows}" in self.machine.text_of(user):
                self._demand(user)
            self._tell(user, bound, tale.follows)

    def _takers(self, tale: Tale) -> Iterator[tuple[str, str]]:
        """Who imports the name, and what it calls it there."""
        for user, statement, names_it in self.users[tale.module]:
            if not names_it:
                yield from ((user, bound) for name, bound in statement.names or () if name == tale.name)
                if any(name == "*" for name, _ in statement.names or ()):
                    yield user, tale.name
            elif f".{tale.name}{tale.follows}" in self.machine.text_of(user):
                yield user, tale.name
        package = tale.module.rpartition(".")[0]
        while package:
            for user, _, names_it in self.users[package]:
                if names_it and f".{tale.name}{tale.follows}" in self.machine.text_of(user):
                    yield user, tale.name
            package = package.rpartition(".")[0]

    def _demand(self, name: str) -> None:
        module = self.machine.load_module(name)
        if module.is_untouched:
            self.machine.evaluate_module(module)


_DEFINITION: Final = re.compile(r"^(?:async[ \t]+def|def|class)[ \t]+(\w+)", re.MULTILINE)
_ASSIGNMENT: Final = re.compile(r"^[ \t]*(\w+)[ \t]*(?::[^=\n]*)?=[^=]", re.MULTILINE)


@lru_cache(maxsize=256)
def _definitions(text: str) -> frozenset[str]:
    return frozenset(_DEFINITION.findall(text))


@lru_cache(maxsize=256)
def _assigned(text: str) -> frozenset[str]:
    return frozenset(_ASSIGNMENT.findall(text))


def _users(machine: Machine) -> dict[str, list[tuple[str, Import, bool]]]:
    """By module, the statements that import it or from it, and whether each names the module itself."""
    users: dict[str, list[tuple[str, Import, bool]]] = defaultdict(list)
    for name, outline in machine.outlines.items():
        for statement in (each for each, led in zip(outline.imports, outline.leads, strict=True) if led):
            for i, imported in enumerate(named_modules(machine.layout, name, statement)):
                canonical = machine.layout.canonical(imported)
                if canonical in machine.layout.files:
                    users[canonical].append((name, statement, i > 0 or statement.names is None))
    return users


def _parts(value: Value) -> Iterable[Value]:
    match value:
        case Instance(scope=scope) | ClassValue(scope=scope):
            return [part for _, part in scope.names.found()]
        case Partial(function=function, positional=positional):
            return [function, *positional]
        case _:
            return parts(value)


def _occurrences(text: str, name: str, follows: str) -> Iterator[int]:
    """Where a text has a name as a word of its own, and what follows it."""
    word = f"{name}{follows}"
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (_is_part(text[at - 1 : at]) or (not follows and _is_part(text[end : end + 1]))):
            yield at
        at = text.find(word, at + 1)


def _is_part(character: str) -> bool:
    return character == "_" or character.isalnum()

"""Which functions may register something, told by the names that their bodies mention."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from ..summary.nodes import body_of, walk
from .modules import Module
from .values import FunctionValue

Body: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Meant(Enum):
    """What a function says that mentions a name: something for whoever calls it to complete, or for itself alone."""

    REGISTERS = "registers"
    ENCLOSED = "enclosed"


Means: TypeAlias = Callable[[Module, frozenset[str]], Meant | None]


def _nothing(_: Module, __: frozenset[str]) -> None:
    return None


@dataclass(eq=False)
class Mentions:
    """The names that each body mentions, found once.

    `registering` maps a text that a file must hold to the names by which code there that registers can be told, and
    `means` says of other names of a module whether they do. Functions that hand on what they were given are `handing`.
    """

    registering: Mapping[str, frozenset[str]]
    means: Means = field(default_factory=lambda: _nothing)
    handing: set[str] = field(default_factory=set[str])
    found: dict[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])
    direct: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def of(self, node: Body) -> frozenset[str]:
        """The names a body mentions."""
        if id(node) not in self.found:
            self.found[id(node)] = names_in(body_of(node))
        return self.found[id(node)]

    def registers(self, node: Body, module: Module, names: frozenset[str]) -> bool:
        """Whether a body uses a registering name of its own, or calls what is known to register."""
        mentioned = self.of(node)
        if not mentioned.isdisjoint(self._known_in(module)) or not mentioned.isdisjoint(names):
            return True
        return self.means(module, mentioned) is Meant.REGISTERS

    def encloses(self, function: FunctionValue) -> bool:
        """Whether a function has to be evaluated for what its own body says, whoever calls it."""
        return self.means(function.module, self.of(function.node)) is Meant.ENCLOSED

    def directly(self, function: FunctionValue) -> bool:
        """Whether a function's own body uses a registering name."""
        return self.registers(function.node, function.module, frozenset())

    def _known_in(self, module: Module) -> frozenset[str]:
        if module.name not in self.direct:
            texts = [self.registering[text] for text in self.registering if text in module.source.text]
            self.direct[module.name] = frozenset().union(*texts)
        return self.direct[module.name]


def registering_names(functions: Iterable[FunctionValue], mentions: Mentions) -> frozenset[str]:
    """The names of helpers that register what they are told to, directly or through each other.

    Only a function with parameters can be told: what any other registers is found by evaluating that one alone.
    """
    helpers = [f for f in functions if _has_parameters(f.node) and f.name not in _ANY_CALLER]
    helpers = [f for f in helpers if not f.name.startswith("__")]
    names = frozenset(mentions.handing)
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


def names_in(code: Iterable[ast.AST]) -> frozenset[str]:
    """The names that some code mentions, those of attributes as well."""
    return frozenset(_names_in(code))


def _names_in(code: Iterable[ast.AST]) -> Iterator[str]:
    for node in walk(code):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr

"""One body as it is walked: what its names evidently are at this point, and under which circumstances it is reached."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from ..symbolic.modules import Module
from ..symbolic.scope import Scope
from ..symbolic.values import ClassValue, External, FunctionValue, ModuleValue, Unknown, Value, is_scalar
from .fact import Fact, Given, Kind, named, plain

OpOf = Callable[[Value], str | None]

_MOST_NAMES: Final = 200
"""Names of one body that are followed: where branches meet they are compared one by one."""


class Body(Struct, eq=False):
    """One body that is looked at: a function's, or a module's. `own` are a function's own names, which hide others."""

    module: Module
    scope: Scope
    function: FunctionValue | None
    own: frozenset[str] = frozenset()


class Guard(Struct, frozen=True):
    """A test that decides whether a place is reached: where it stands, and whether it has to hold or to fail."""

    test: ast.expr
    holds: bool
    body: Body
    outer: Guard | None


class Where(Struct, frozen=True):
    """The circumstances of a place: the guards around it, whether tracking is off, which errors are taken there.

    `caught` names the exceptions that a `try` around it is ready for, and `within` is the innermost function.
    """

    guard: Guard | None = None
    is_free: bool = False
    caught: frozenset[str] = frozenset()
    within: ast.AST | None = None


@dataclass(eq=False, slots=True)
class Seen:
    """A call of an op or of a project's function, or (`given` None) a reference to an op.

    `is_lookup` says that the op is looked up here, as an attribute of `torch.ops`, and `differentiated` that a gradient
    is sent back through the result of the call.
    """

    node: ast.expr
    op: str | None
    function: FunctionValue | None
    where: Where
    given: Given | None = None
    is_lookup: bool = False
    differentiated: bool = False


class Project(Struct, frozen=True):
    """What all bodies share. `met` are the functions that have a body of their own among those walked.

    `covers` tells whether some code may be about ops, `op_of` the op that a value is, `module_of` what importing a
    module gives. `constants_of` a module is what is evident of the names that it binds once and for all.
    """

    met: frozenset[int]
    covers: Callable[[Module, ast.stmt | ast.Lambda], bool]
    op_of: OpOf
    module_of: Callable[[str], Value]
    constants_of: Callable[[str], Mapping[str, Fact]]


@dataclass(eq=False, slots=True)
class Scene:
    """The state of one walk.

    `names` holds what is evident of the names bound so far, None for one that was bound to nothing evident; `again`
    those that were bound more than once. `defined` says where each function that was met is defined.
    """

    project: Project
    body: Body
    where: Where
    names: dict[str, Fact | None] = field(default_factory=dict[str, "Fact | None"])
    again: set[str] = field(default_factory=set[str])
    seen: list[Seen] = field(default_factory=list[Seen])
    defined: dict[int, Where] = field(default_factory=dict[int, Where])

    def lookup(self, name: str) -> Fact | None:
        """What is evident of a name."""
        fact = self.names.get(name)
        if fact is not None or name in self.body.own:
            return fact
        is_bound = name in self.names or len(self.names) >= _MOST_NAMES
        outer = self._outer(name)
        return None if outer is not None and is_bound and outer.kind is not Kind.NAMED else outer

    def _outer(self, name: str) -> Fact | None:
        """What is evident of a name that the body does not bind: the module's, an import's, a builtin's."""
        module, holder = self.body.module, self.body.scope.find(name)
        if holder in (None, module.scope):
            origin, _, original = module.origins.get(name, f"{module.name}.{name}").rpartition(".")
            constant = None if is_definition(module.scope, name) else self.project.constants_of(origin).get(original)
            if constant is not None:
                return constant
        return fact_of(holder.names[name]) if holder is not None else named(External(f"builtins.{name}"))

    def bind(self, name: str, fact: Fact | None) -> None:
        """Bind a name from here on."""
        if name in self.names:
            self.again.add(name)
        if name in self.names or len(self.names) < _MOST_NAMES:
            self.names[name] = fact

    def guarded(self, test: ast.expr, *, holds: bool) -> Where:
        """The circumstances where a test comes out so."""
        return replace(self.where, guard=Guard(test, holds, self.body, self.where.guard))

    def forget(self, names: Iterable[str]) -> None:
        """Take from some names what was evident of them."""
        for name in sorted(names):  # a set of them has no order, and only so many are kept
            self.bind(name, None)


def joined(branches: Sequence[dict[str, Fact | None]]) -> dict[str, Fact | None]:
    """What is evident whichever branch was taken. A name that only some of them bind is evident in none."""
    first, *rest = branches
    if not rest:
        return first
    names = dict.fromkeys(name for branch in branches for name in branch)
    same = {name for name in first if all(name in b and b[name] == first[name] for b in rest)}
    return {name: first[name] if name in same else None for name in names}


def is_definition(scope: Scope, name: str) -> bool:
    """Whether a name is known to stand for no plain value and no array, whatever statement bound it."""
    kinds = (ClassValue, External, FunctionValue, ModuleValue)
    return not scope.names.is_deferred(name) and isinstance(scope.names.get(name), kinds)


def fact_of(value: Value) -> Fact | None:
    """What is evident of a value that an import left."""
    if isinstance(value, Unknown):
        return None
    return plain(value) if is_scalar(value) else named(value)

"""Names and the guarded values they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct

from opcheck_rules.model.condition import Condition

from .parts import is_small
from .values import SCALARS, Choice, External, Items, Unknown, Value, is_tuple

MOST_ALTERNATIVES: Final = 12


class Deferred(Struct, frozen=True):
    """The value of a name that is imported from a module which was not evaluated yet."""

    find: Callable[[], Value]


class Names(MutableMapping[str, Value]):
    """Names with their values; one that is deferred is found when it is first asked for."""

    __slots__ = ("_held",)

    def __init__(self) -> None:
        self._held: dict[str, Value | Deferred] = {}

    def __getitem__(self, name: str) -> Value:
        value = self._held[name]
        if isinstance(value, Deferred):
            # Should finding it lead back here, a name imported in a circle, it is not known.
            self._held[name] = Unknown(name)
            value = self._held[name] = value.find()
        return value

    def __setitem__(self, name: str, value: Value) -> None:
        self._held[name] = value

    def __delitem__(self, name: str) -> None:
        del self._held[name]

    def __contains__(self, name: object) -> bool:
        return name in self._held

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def is_deferred(self, name: str) -> bool:
        """Whether a name was bound, and its value not looked for yet."""
        return isinstance(self._held.get(name), Deferred)

    def found(self) -> Iterator[tuple[str, Value]]:
        """The names whose values are there already."""
        return ((n, v) for n, v in tuple(self._held.items()) if not isinstance(v, Deferred))

    def defer(self, name: str, find: Callable[[], Value]) -> None:
        """Let the value of a name be found when it is asked for."""
        self._held[name] = Deferred(find)


@dataclass(eq=False, slots=True)
class Scope:
    """A namespace, made under the condition `base`: what is bound under exactly that condition is bound for certain.

    `is_inner` marks that of a comprehension, which `:=` does not bind in.
    """

    base: Condition
    label: str
    parent: Scope | None = None
    names: Names = field(default_factory=Names)
    is_class: bool = False
    # The names of a module whose namespace was filled from somewhere unread (`from unread import *`) may be more.
    is_open: bool = False
    is_inner: bool = False
    outer_names: set[str] = field(default_factory=set[str])

    def bind(self, name: str, value: Value, path: Condition) -> None:
        """Bind `name` under `path`: what it held before stays its value elsewhere."""
        if path is self.base or name not in self.names:
            self.names[name] = value if path is self.base else Choice(tuple(_spread([(path, value)])))
            return
        old = self.names[name]
        kept = old.alternatives if isinstance(old, Choice) else ((self.base, old),)
        self.names[name] = join([*((c & ~path, v) for c, v in kept), (path, value)], lambda: f"{self.label}.{name}")

    def defer(self, name: str, find: Callable[[], Value], path: Condition) -> None:
        """Bind `name` under `path` to what is found when it is asked for."""
        if path is self.base:
            self.names.defer(name, find)
        elif name not in self.names:
            self.names.defer(name, lambda: Choice(tuple(_spread([(path, find())]))))
        else:
            self.bind(name, find(), path)

    def find(self, name: str) -> Scope | None:
        """The scope that `name` is looked up in from here: this one, then the enclosing ones that are no class."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names and name not in scope.outer_names and (not scope.is_class or scope is self):
                return scope
            scope = scope.parent
        return None


def join(alternatives: Items, label: Callable[[], str]) -> Value:
    """One value for several guarded ones: equal values share a guard, none or too many are an unknown named `label`."""
    merged: Items = []
    for condition, value in _spread(alternatives):
        if condition.fails:
            continue
        same = next((i for i, (_, v) in enumerate(merged) if same_value(v, value)), None)
        if same is None:
            merged.append((condition, value))
        else:
            merged[same] = (merged[same][0] | condition, value)
    if not 0 < len(merged) <= MOST_ALTERNATIVES:
        return Unknown(label())
    if len(merged) == 1 and merged[0][0].holds:
        return merged[0][1]
    return Choice(tuple(merged))


def narrow(value: Value, path: Condition) -> Value:
    """The value as seen under `path`: alternatives that cannot hold there are left out."""
    if not isinstance(value, Choice):
        return value
    seen = [(c, v) for c, v in value.alternatives if c.meets(path)]
    if not seen:
        return Unknown("an unbound name")
    return seen[0][1] if len(seen) == 1 else Choice(tuple(seen))


def alternatives(value: Value, path: Condition) -> Items:
    """The guarded values that `value` can be under `path`, each with the part of `path` in which it is."""
    if not isinstance(value, Choice):
        return [(path, value)]
    return [(c & path, v) for c, v in value.alternatives if c.meets(path)]


def covered(value: Value, base: Condition) -> Condition:
    """The condition under which a name that holds `value` is bound at all."""
    if not isinstance(value, Choice):
        return base
    result, *rest = (condition for condition, _ in value.alternatives)
    for condition in rest:
        result = result | condition
    return result


def same_value(one: Value, other: Value) -> bool:
    """Whether two values are certainly the same: identity, or equal scalars of one type."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, (*SCALARS, External)):
        return one == other
    if is_tuple(one) and is_tuple(other):
        return len(one) == len(other) and is_small(one) and is_small(other) and all(map(same_value, one, other))
    return isinstance(one, Unknown) and isinstance(other, Unknown) and one.text == other.text


def _spread(alternatives: Items) -> Items:
    """Guarded values of which none is itself one of several."""
    spread: Items = []
    for condition, value in alternatives:
        if isinstance(value, Choice):
            spread += [(condition & c, v) for c, v in value.alternatives]
        else:
            spread.append((condition, value))
    return spread

"""What is evident of an expression, by the statements around it alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from ..symbolic.values import SCALARS, Value

_MOST_CALLS: Final = 8
"""Calls of ops that one value is remembered to come from."""


class Kind(Enum):
    """What an expression stands for."""

    ARRAY = "array"
    PLAIN = "plain"
    NAMED = "named"


class Fact(Struct, frozen=True):
    """An array, a plain value (a number, a text, None: nothing that lies on a backend), or something with a name.

    `backend` is where an array lies, or the device that a plain value names; None where that is not evident. `tracked`
    says that a gradient is wanted for an array. `value` is what a name stands for. `calls` are the calls of ops that an
    array was computed from, by their place among those of the body, where nothing else went into it.
    """

    kind: Kind
    backend: str | None = None
    tracked: bool = False
    value: Value = None
    calls: frozenset[int] = frozenset()


PLAIN: Final = Fact(Kind.PLAIN)


def array(backend: str | None = None, *, tracked: bool = False, calls: Iterable[int] = ()) -> Fact:
    """An array."""
    return Fact(Kind.ARRAY, backend, tracked, calls=frozenset(calls))


def named(value: Value) -> Fact:
    """Something with a name: a module, a function, an op."""
    return Fact(Kind.NAMED, value=value)


def plain(value: object) -> Fact:
    """A plain value; of a text the device that it would name."""
    if isinstance(value, str):
        return Fact(Kind.PLAIN, value.partition(":")[0], value=value)
    return Fact(Kind.PLAIN, value=value) if isinstance(value, SCALARS) else PLAIN


def agreed(facts: Sequence[Fact | None]) -> Fact | None:
    """What is evident whichever of several expressions it is."""
    return facts[0] if facts and all(fact == facts[0] for fact in facts) else None


def is_array(fact: Fact | None) -> bool:
    """Whether something is evidently an array."""
    return fact is not None and fact.kind is Kind.ARRAY


def computed(operands: Sequence[Fact | None], *, is_free: bool) -> Fact | None:
    """What operators make of some operands. NumPy makes scalars of arrays without dimensions: its results are open."""
    known = [fact for fact in operands if fact is not None]
    arrays = [fact for fact in known if fact.kind is Kind.ARRAY]
    if not arrays:
        return PLAIN if len(known) == len(operands) and all(f.kind is Kind.PLAIN for f in known) else None
    tracked = not is_free and any(fact.tracked for fact in arrays)
    backends = {fact.backend for fact in arrays}
    backend = backends.pop() if len(known) == len(operands) and len(backends) == 1 else None
    backend = None if backend == "numpy" and not tracked else backend
    return array(backend, tracked=tracked, calls=sources(operands))


def sources(operands: Sequence[Fact | None]) -> frozenset[int]:
    """The calls of ops that a result of some operands comes from; none where a gradient may come from elsewhere."""
    calls: frozenset[int] = frozenset()
    for fact in operands:
        if fact is None or (fact.tracked and not fact.calls) or (fact.kind is Kind.NAMED):
            return frozenset()
        calls |= fact.calls
    return calls if len(calls) <= _MOST_CALLS else frozenset()


class Given(Struct, frozen=True):
    """What is evident of the arguments of a call. `is_open` says that there may be more of them."""

    positional: tuple[Fact | None, ...] = ()
    keywords: Mapping[str, Fact | None] = field(default_factory=dict[str, "Fact | None"])
    is_open: bool = False

    def get(self, position: int | None, name: str) -> Fact | None:
        """What is evident of the argument given by position or by name; nothing of one that is not given."""
        if position is not None and position < len(self.positional):
            return self.positional[position]
        return self.keywords.get(name)

    @property
    def all(self) -> list[Fact | None]:
        """What is evident of each argument."""
        return [*self.positional, *self.keywords.values(), *[None] * self.is_open]


def untracked(fact: Fact) -> Fact:
    """The same array, of which no gradient is wanted any more."""
    return replace(fact, tracked=False, calls=frozenset())

"""Conditions under which a registration holds, as hash-consed binary decision diagrams.

A diagram is canonical: two conditions that mean the same are the same object, so that comparing, joining and asking
whether two can both hold cost no search. The construction is Bryant's (Graph-Based Algorithms for Boolean Function
Manipulation, 1986).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable
from typing import Final

from .atom import Atom
from .cubes import MOST_NODES, Cube, case, cover

Decide = Callable[[Atom], bool | None]
"""Answers atoms, each always alike: what it made of a condition is remembered."""
_BELOW: Final = sys.maxsize
"""The level of what hangs on no atom."""


class ConditionOverflowError(OverflowError):
    """A condition grew past what its space allows: what hangs on it has to be called unknown."""


class Condition:
    """A three-valued predicate over atoms: it holds, fails, or hangs on what is not known yet.

    Conditions of one space combine with `&`, `|` and `~`, and compare by identity.
    """

    __slots__ = ("_space", "atoms", "high", "level", "low")

    def __init__(self, space: Conditions, level: int, low: Condition | None, high: Condition | None) -> None:
        self._space = space
        self.level = level
        self.low = low
        self.high = high
        self.atoms: int = (low.atoms | high.atoms | 1 << level) if low and high else 0

    def __and__(self, other: Condition) -> Condition:
        space = self._space
        if self is space.true or other is space.false:
            return other
        if other is space.true or self is space.false:
            return self
        return space.choose(self, other, space.false)

    def __or__(self, other: Condition) -> Condition:
        return self._space.choose(self, self._space.true, other)

    def __invert__(self) -> Condition:
        return self._space.choose(self, self._space.false, self._space.true)

    @property
    def holds(self) -> bool:
        """True when it holds whatever the open facts are."""
        return self is self._space.true

    @property
    def fails(self) -> bool:
        """True when nothing can make it hold."""
        return self is self._space.false

    @property
    def size(self) -> int:
        """How many atoms it depends on."""
        return self.atoms.bit_count()

    def branch(self, level: int, side: bool) -> Condition:
        """Its cofactor: what is left where the atom at `level` holds, or fails. None of its own comes before that."""
        if self.level != level or self.low is None or self.high is None:
            return self
        return self.high if side else self.low

    def implies(self, other: Condition) -> bool:
        """Whether `other` holds wherever this does."""
        return other.holds or (self & ~other).fails

    def meets(self, other: Condition) -> bool:
        """Whether both can hold at once."""
        return not (self & other).fails

    def support(self) -> list[Atom]:
        """The atoms it depends on, in the order they were met."""
        return self._space.support(self)

    def under(self, decide: Decide) -> Condition:
        """What is left of it once `decide` has answered what it can."""
        return self if self.low is None else self._space.restrict(self, decide)

    def cubes(self) -> list[Cube]:
        """An irredundant set of conjunctions whose disjunction it is; one case of what is too intricate for that."""
        return self._space.cubes(self)[0]

    def render(self) -> str:
        """Write it as a guard a person would write: `a and not b or c`."""
        if self.holds:
            return "always"
        cubes, are_all = self._space.cubes(self)
        terms = [" and ".join(a.render(positive=p) for a, p in cube.items()) for cube in cubes]
        return " or ".join(terms if are_all else [*terms, "one of many other cases"]) or "never"

    def __repr__(self) -> str:
        return f"<Condition {self.render()}>"


class Conditions:
    """A space of conditions: atoms get their place in the order by when they are first met.

    `limit` bounds how many diagram nodes it may hold in all, so that no input can exhaust memory: past it
    `ConditionOverflowError` is raised, or, once the space is released, a condition stands as an atom of its own.
    """

    def __init__(self, limit: int = 1_000_000) -> None:
        self.true = Condition(self, _BELOW, None, None)
        self.false = Condition(self, _BELOW, None, None)
        self._most = limit
        self._limit = limit
        self._is_released = False
        self._atoms: list[Atom] = []
        self._levels: dict[Atom, int] = {}
        self._nodes: dict[tuple[int, int, int], Condition] = {}
        self._choices: dict[tuple[int, int, int], Condition] = {}
        self._cubes: dict[Condition, tuple[list[Cube], bool]] = {}
        self._restricted: dict[Decide, dict[int, Condition]] = {}

    def atom(
        self, subject: str, operator: str = "", operand: Hashable = None, settled: bool | None = None
    ) -> Condition:
        """The condition that one atom holds."""
        atom = Atom(subject, operator, operand, settled)
        level = self._levels.setdefault(atom, len(self._atoms))
        if level == len(self._atoms):
            self._atoms.append(atom)
        return self.single(level)

    def rebuild(self, atoms: Iterable[Atom], nodes: Iterable[tuple[int, int, int]]) -> list[Condition]:
        """Make diagrams in an empty space: each node is the place of its atom, and those of two earlier diagrams.

        The first two are what never holds and what always does.
        """
        for atom in atoms:
            self.atom(atom.subject, atom.operator, atom.operand, atom.settled)
        made = [self.false, self.true]
        for level, low, high in nodes:
            made.append(self._made(level, made[low], made[high]))
        self.release()
        return made

    def grant(self, nodes: int) -> None:
        """Allow the next piece of work this many new nodes, so that one that explodes leaves room for the others.

        What was granted before is taken back. The limit of the whole space still holds.
        """
        self._limit, self._is_released = min(self._most, len(self._nodes) + nodes), False

    def release(self) -> None:
        """Allow as many nodes again as the whole space may hold: what is left to do is to join what was found.

        From here on nothing is given up: what is too intricate to be joined is a question that nothing answers.
        """
        self._limit, self._is_released = len(self._nodes) + self._most, True

    def constant(self, value: bool) -> Condition:
        """The condition that always holds, or the one that never does."""
        return self.true if value else self.false

    def any(self, conditions: Iterable[Condition]) -> Condition:
        """The condition that at least one holds."""
        result = self.false
        for condition in conditions:
            result = result | condition
        return result

    def all(self, conditions: Iterable[Condition]) -> Condition:
        """The condition that every one holds."""
        result = self.true
        for condition in conditions:
            result = result & condition
        return result

    def choose(self, test: Condition, then: Condition, other: Condition) -> Condition:
        """`then` where `test` holds and `other` where it fails."""
        try:
            return self._choose(test, then, other)
        except ConditionOverflowError:
            if not self._is_released:
                raise
            return self.atom(f"one of too many cases (#{len(self._atoms)})")

    def _choose(self, test: Condition, then: Condition, other: Condition) -> Condition:
        if test is self.true or then is other:
            return then
        if test is self.false:
            return other
        if then is self.true and other is self.false:
            return test
        key = (id(test), id(then), id(other))
        known = self._choices.get(key)
        if known is None:
            level = min(test.level, then.level, other.level)
            low = self._choose(test.branch(level, False), then.branch(level, False), other.branch(level, False))
            high = self._choose(test.branch(level, True), then.branch(level, True), other.branch(level, True))
            known = self._choices[key] = self._node(level, low, high)
        return known

    def atom_at(self, level: int) -> Atom:
        """The atom that nodes of a level ask about."""
        return self._atoms[level]

    def support(self, condition: Condition) -> list[Atom]:
        """The atoms `condition` depends on, in order."""
        found, left = list[Atom](), condition.atoms
        while left:
            lowest = left & -left
            found.append(self._atoms[lowest.bit_length() - 1])
            left ^= lowest
        return found

    def restrict(self, condition: Condition, decide: Decide) -> Condition:
        """What is left of `condition` once `decide` has answered what it can, which it is asked once of each node."""
        done = self._restricted.setdefault(decide, {})
        known = done.get(id(condition))
        if known is not None:
            return known

        def walk(node: Condition) -> Condition:
            if node.low is None or node.high is None:
                return node
            if id(node) not in done:
                answer = decide(self._atoms[node.level])
                if answer is None:
                    done[id(node)] = self.choose(self.single(node.level), walk(node.high), walk(node.low))
                else:
                    done[id(node)] = walk(node.high if answer else node.low)
            return done[id(node)]

        return walk(condition)

    def cubes(self, condition: Condition) -> tuple[list[Cube], bool]:
        """A condition written out as cases, one of them where that takes too much, and whether those are all."""
        if condition not in self._cubes:
            before = self._limit, self._is_released
            self._limit, self._is_released = min(self._limit, len(self._nodes) + MOST_NODES), False
            try:
                self._cubes[condition] = cover(self, condition), True
            except OverflowError:
                self._cubes[condition] = [case(self, condition)], False
            self._limit, self._is_released = before
        return self._cubes[condition]

    def single(self, level: int) -> Condition:
        """The diagram of one atom, which is never refused: there are no more of them than expressions in the source."""
        return self._made(level, self.false, self.true)

    def _node(self, level: int, low: Condition, high: Condition) -> Condition:
        if low is high:
            return low
        if (level, id(low), id(high)) not in self._nodes and len(self._nodes) >= self._limit:
            raise ConditionOverflowError
        return self._made(level, low, high)

    def _made(self, level: int, low: Condition, high: Condition) -> Condition:
        key = (level, id(low), id(high))
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Condition(self, level, low, high)
        return node

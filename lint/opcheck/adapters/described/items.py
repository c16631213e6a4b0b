"""Dictionaries that are tables of ops: what was put into them, and what they were made with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from opcheck_rules.model.condition import Condition

from ...symbolic.frame import Frame
from ...symbolic.machine import Machine
from ...symbolic.scope import Scope, alternatives
from ...symbolic.state import Effect
from ...symbolic.values import DictValue, Value, is_tuple
from .description import Description, Items
from .names import backend_names, op_names
from .paths import found_at
from .records import Name, Supplied
from .watcher import Described, Stored


@dataclass(eq=False)
class Tables:
    """The tables of a project's dispatchers, with what was put on record of them, and `taken` over from others."""

    described: Described
    done: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    taken: dict[tuple[int, Value], Stored] = field(default_factory=dict[tuple[int, Value], Stored])

    def read(self) -> None:
        """Put on record what tables hold by now, and was not put on record before."""
        for description in self.described.descriptions:
            if isinstance(description.shape, Items):
                self._read(description, description.shape)

    def _read(self, description: Description, shape: Items) -> None:
        path = self.described.paths.defined(shape.table)
        tables = [v for _, v in self._held(found_at(self._machine, path)) if isinstance(v, DictValue)]
        items = [*self.described.stored_items, *self._taken_over(tables, path.rpartition(".")[0])]
        inside = self._inside(tables, items, _depth(shape))
        for item in items:
            mark = id(description), id(item)
            if id(item.target) in inside and mark not in self.done and self._is_there(item):
                self.done.add(mark)
                keys = [*inside[id(item.target)], *_keys(item)]
                if not self._is_table(item.value, keys, shape):
                    self._put(description, shape, keys, item)

    @property
    def _machine(self) -> Machine:
        return self.described.machine

    def _held(self, value: Value) -> list[tuple[Condition, Value]]:
        return alternatives(value, self._machine.space.true)

    def _inside(self, tables: list[DictValue], items: list[Stored], depth: int) -> dict[int, list[Value]]:
        """The keys that lead to each dictionary in a table, by its identity."""
        found = {id(table): list[Value]() for table in tables}
        for _ in range(depth - 1):
            for item in [item for item in items if id(item.target) in found]:
                for _, value in self._held(item.value):
                    if isinstance(value, DictValue):
                        found.setdefault(id(value), [*found[id(item.target)], *_keys(item)])
        return found

    def _is_table(self, value: Value, keys: list[Value], shape: Items) -> bool:
        return len(keys) < _depth(shape) and any(isinstance(v, DictValue) for _, v in self._held(value))

    def _is_there(self, item: Stored) -> bool:
        """Whether an item is in its dictionary still: one that was deleted is not."""
        key = self._machine.hashable(item.key)
        return key is None or key in item.target.items

    def _taken_over(self, tables: list[DictValue], module: str) -> list[Stored]:
        """The items that a table took over from others as a whole."""
        seen = {(id(item.target), self._machine.hashable(item.key)) for item in self.described.stored_items}
        always = self._machine.space.true
        for table in tables:
            for key, value in table.items.items():
                if (id(table), key) not in seen and (id(table), key) not in self.taken:
                    item = Stored(table, key, value, module, always, None, (), hypothetical=False)
                    self.taken[id(table), key] = item
        return list(self.taken.values())

    def _put(self, description: Description, shape: Items, keys: list[Value], item: Stored) -> None:
        module = self._machine.met[self._machine.layout.canonical(item.runner)]
        frame = Frame(self._machine, module, Scope(item.path, module.name), item.path)
        for condition, op in op_names(frame, keys[shape.op]) if shape.op < len(keys) else ():
            for there, backend in self._backends(frame, description, shape, keys):
                self._emit(description, op, backend, item, condition & there)

    def _backends(
        self, frame: Frame, description: Description, shape: Items, keys: list[Value]
    ) -> Iterator[tuple[Condition, Name]]:
        if shape.backend is None:
            yield from ((frame.path, Name(backend, backend)) for backend in shape.default)
        elif shape.backend < len(keys):
            yield from backend_names(frame, keys[shape.backend], description)
        else:
            yield frame.path, Name(None, text=shape.table)

    def _emit(self, description: Description, op: Name, backend: Name | None, item: Stored, path: Condition) -> None:
        span = item.span or description.span
        record = Supplied(description, op, backend, item.value, span)
        self._machine.effects.append(Effect(record, item.runner, path, span, item.turn, item.hypothetical))


def _depth(shape: Items) -> int:
    """How many keys lead to what is registered."""
    return max(shape.op, shape.backend or 0) + 1


def _keys(item: Stored) -> tuple[Value, ...]:
    """The keys that an item is stored under, one after the other."""
    return item.key if is_tuple(item.key) else (item.key,)

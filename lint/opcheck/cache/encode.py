"""A reading as it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from enum import Enum
from types import EllipsisType
from typing import Final, cast

from msgspec import Raw, Struct, json
from msgspec.structs import replace

from opcheck.reading import Reading
from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import PredictedError, Span
from opcheck_rules.model.project import Cell, Outcome

from .written import CONDITION, ERROR, HERE, MEMBER, NAMES, OBJECT, SPAN, Json, Written

_SHARED: Final = {Span: SPAN, PredictedError: ERROR}


def encode(reading: Reading) -> Written:
    """The reading as it is written."""
    encoder = _Encoder()
    root = encoder.value(replace(reading, modules={}, statements={}, slots={}))
    order = sorted(encoder.atoms)
    places = {level: place for place, level in enumerate(order)}
    atoms = [encoder.value(encoder.atoms[level]) for level in order]
    nodes = [(places[level], low, high) for level, low, high in encoder.nodes]
    spans, errors, names, members = encoder.shared()
    objects = [Raw(json.encode(part)) for part in encoder.objects]
    alone = dict(reading.modules), dict(reading.statements), list(reading.slots.items())
    return Written(atoms, nodes, spans, errors, names, members, objects, root, *alone)


class _Encoder:
    """Writes values; what is no scalar is a list that begins with what it is."""

    def __init__(self) -> None:
        self.atoms: dict[int, Atom] = {}
        self.nodes: list[tuple[int, int, int]] = []
        self.objects: list[Json] = []
        self._shared: dict[int, dict[object, int]] = {kind: {} for kind in (SPAN, ERROR, NAMES, MEMBER, OBJECT)}
        self._conditions: dict[int, int] = {}

    def shared(self) -> Iterator[Json]:
        """What is often the same in many places: spans, errors, sets of names and members of enumerations."""
        yield from (list(self._shared[kind]) for kind in (SPAN, ERROR))
        # In an order of their own sets are written the same each time.
        yield [sorted(cast("Set[str]", names)) for names in self._shared[NAMES]]
        yield list(self._shared[MEMBER])

    def value(self, value: object) -> Json:
        """One value."""
        reference = self._reference(value)
        if reference is not None:
            return ["r", *reference]
        if value is None or isinstance(value, (str, bool, int, float)):
            return value
        return self._container(value)

    def _reference(self, value: object) -> tuple[int, int] | None:
        """Where a value is written, if it is elsewhere; and which it is there."""
        match value:
            case Condition():
                return CONDITION, self._condition(value)
            case Enum():
                return MEMBER, self._place(MEMBER, (type(value).__name__, value.value))
            case Span() | PredictedError():
                return _SHARED[type(value)], self._place(_SHARED[type(value)], value)
            case Struct():
                return OBJECT, self._object(value)
            case frozenset() if all(isinstance(part, str) for part in cast("Set[object]", value)):
                return NAMES, self._place(NAMES, cast("object", value))
            case _:
                return None

    def _place(self, kind: int, value: object) -> int:
        return self._shared[kind].setdefault(value, len(self._shared[kind]))

    def _container(self, value: object) -> Json:
        match value:
            case tuple() | list():
                return self._sequence(cast("Sequence[object]", value))
            case frozenset() | set():
                return ["s", *map(self.value, sorted(cast("Set[object]", value), key=repr))]
            case Mapping():
                return self._mapping(cast("Mapping[object, object]", value))
            case bytes():
                return ["b", value.decode("latin-1")]
            case complex():
                return ["j", value.real, value.imag]
            case EllipsisType():
                return ["..."]
            case _:
                raise TypeError(value)

    def _sequence(self, value: Sequence[object]) -> Json:
        if value and all(isinstance(part, Struct) and type(part) not in _SHARED for part in value):
            return ["o", *(self._object(cast("Struct", part)) for part in value)]
        return ["t", *map(self.value, value)]

    def _mapping(self, value: Mapping[object, object]) -> Json:
        if all(isinstance(part, str) for pair in value.items() for part in pair):
            return ["n", value]
        cells = [part for part in value.values() if isinstance(part, Cell)]
        if not cells or len(cells) < len(value):
            return ["m", *(self.value(part) for pair in value.items() for part in pair)]
        return ["c", self._cells(cells)]

    def _cells(self, cells: Iterable[Cell]) -> Json:
        """The outcomes of the cells of an op, by context and backend, in the order in which they come back."""
        rows: dict[str, dict[str, Sequence[Outcome]]] = {}
        for cell in cells:
            rows.setdefault(cell.context, {})[cell.backend] = cell.outcomes
        return {context: {b: [*map(self._object, found)] for b, found in row.items()} for context, row in rows.items()}

    def _object(self, value: Struct) -> int:
        """Which of the objects one is. Outcomes are often the same in many cells."""
        known = self._shared[OBJECT].get(value) if isinstance(value, Outcome) else None
        if known is not None:
            return known
        self.objects.append(self._written(value))
        if isinstance(value, Outcome):
            self._shared[OBJECT][value] = len(self.objects) - 1
        return len(self.objects) - 1

    def _written(self, value: Struct) -> Json:
        elsewhere, fields = list[int](), list[Json]()
        for at, field in enumerate(_told(value)):
            reference = self._reference(field)
            written = self.value(field) if reference is None else None
            if reference is None and isinstance(written, list):
                reference = HERE, 0
            elsewhere += (at, *reference) if reference else ()
            fields.append(written)
        return [type(value).__name__, elsewhere, *fields]

    def _condition(self, condition: Condition) -> int:
        if condition.low is None or condition.high is None:
            return int(condition.holds)
        if id(condition) not in self._conditions:
            if condition.level not in self.atoms:
                self.atoms[condition.level] = condition.support()[0]
            self.nodes.append((condition.level, self._condition(condition.low), self._condition(condition.high)))
            self._conditions[id(condition)] = len(self.nodes) + 1
        return self._conditions[id(condition)]


def _told(value: Struct) -> Sequence[object]:
    """The fields of an object up to the last that is not what it is by default."""
    found = [getattr(value, name) for name in value.__struct_fields__]
    for default in reversed(value.__struct_defaults__):
        if found[-1] != default:
            break
        found.pop()
    return found

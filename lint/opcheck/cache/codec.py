"""A reading as JSON, and back: only the classes that a reading is made of are ever made again.

Equal parts are written once, and conditions as the diagrams that they are, so that what is read back is shared as it
was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from enum import Enum
from pathlib import Path
from types import EllipsisType
from typing import Any, Final, cast

from msgspec import Raw, Struct, json

from opcheck.config.settings import Settings
from opcheck.reading import Environment, IgnoreComment, Reading
from opcheck_rules.model import finding, project, suppression, target, unresolved
from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.project import Cell

Json = Any

_MODELS: Final = (project, finding, suppression, target, unresolved)
_OTHERS: Final = (Atom, Environment, IgnoreComment, Reading, Settings)
_CLASSES: Final[Mapping[str, type[Any]]] = {
    cls.__name__: cls
    for cls in (*_OTHERS, *(found for model in _MODELS for found in vars(model).values()))
    if isinstance(cls, type) and issubclass(cls, (Struct, Enum)) and cls is not Struct
}
_FIELDS: Final = {name: cls.__struct_fields__ for name, cls in _CLASSES.items() if issubclass(cls, Struct)}

_SCALARS: Final = frozenset({str, int, float, bool, type(None)})
_NAMES: Final = "names"
# What is often the same in many places.
_SHARED: Final = (project.Outcome, finding.PredictedError, finding.Span)


class Written(Struct, frozen=True):
    """A reading as lists, texts and numbers. Each object is parsed when it is asked for: a target asks for few."""

    atoms: list[Json]
    nodes: list[tuple[int, int, int]]
    objects: list[Raw]
    root: Json


def encode(reading: Reading) -> Written:
    """The reading as it is written."""
    encoder = _Encoder()
    root = encoder.value(reading)
    order = sorted(encoder.atoms)
    places = {level: place for place, level in enumerate(order)}
    atoms = [encoder.value(encoder.atoms[level]) for level in order]
    nodes = [(places[level], low, high) for level, low, high in encoder.nodes]
    return Written(atoms, nodes, [Raw(json.encode(part)) for part in encoder.objects], root)


def plain(value: object) -> Json:
    """A value that hangs on no condition, as JSON with every part in it."""
    encoder = _Encoder()
    return [encoder.value(value), encoder.objects]


def decode(written: Written) -> Reading:
    """The reading that was encoded. Raises TypeError, ValueError or LookupError for anything else."""
    decoder = _Decoder(written.objects)
    atoms = decoder.values(written.atoms)
    decoder.conditions = Conditions().rebuild(atoms, written.nodes)
    [reading] = decoder.values([written.root])
    if not isinstance(reading, Reading):
        raise TypeError
    return reading


class _Cells(Mapping[tuple[str, str], Cell]):
    """The cells of an op, each made when it is first asked for: a target looks at few of them."""

    def __init__(self, decoder: _Decoder, written: list[Json]) -> None:
        self._decoder = decoder
        self._written: Mapping[str, Sequence[int]] = written[1]
        self._made: dict[tuple[str, str], Cell] = {}

    def __getitem__(self, key: tuple[str, str]) -> Cell:
        made = self._made.get(key)
        if made is None:
            outcomes = tuple(map(self._decoder.part, self._written[_cell_name(*key)]))
            made = self._made[key] = Cell(*key, outcomes)
        return made

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for name in self._written:
            context, _, backend = name.partition(" ")
            yield backend, context

    def __len__(self) -> int:
        return len(self._written)


def _cell_name(backend: str, context: str) -> str:
    """What a cell is called where it is written: a context is one word."""
    return f"{context} {backend}"


class _Encoder:
    """Writes values; what is no scalar is a list that begins with what it is."""

    def __init__(self) -> None:
        self.atoms: dict[int, Atom] = {}
        self.nodes: list[tuple[int, int, int]] = []
        self.objects: list[Json] = []
        self._places: dict[object, int] = {}
        self._conditions: dict[int, int] = {}

    def value(self, value: object) -> Json:
        """One value."""
        if isinstance(value, Enum):
            return ["e", type(value).__name__, value.value]
        if value is None or isinstance(value, (str, bool, int, float)):
            return value
        if isinstance(value, Condition):
            return ["i", self._condition(value)]
        if isinstance(value, Struct):
            return ["o", self._object(value)]
        return self._container(value)

    def _container(self, value: object) -> Json:
        match value:
            case tuple() | list():
                return ["t", *map(self.value, cast("Sequence[object]", value))]
            case frozenset() | set():
                return self._set(cast("Set[object]", value))
            case Mapping():
                return self._mapping(cast("Mapping[object, object]", value))
            case Path():
                return ["p", str(value)]
            case bytes():
                return ["b", value.decode("latin-1")]
            case complex():
                return ["j", value.real, value.imag]
            case EllipsisType():
                return ["..."]
            case _:
                raise TypeError(value)

    def _mapping(self, value: Mapping[object, object]) -> Json:
        if all(isinstance(part, str) for pair in value.items() for part in pair):
            return ["n", value]
        cells = [part for part in value.values() if isinstance(part, Cell)]
        if not cells or len(cells) < len(value):
            return ["m", *(self.value(part) for pair in value.items() for part in pair)]
        return ["c", {_cell_name(c.backend, c.context): [self._object(o) for o in c.outcomes] for c in cells}]

    def _set(self, value: Set[object]) -> Json:
        """A set; one of texts, as the entries that reach a registration are, is written once."""
        parts = [*map(self.value, sorted(value, key=repr))]
        if not all(isinstance(part, str) for part in parts):
            return ["s", *parts]
        names = frozenset(value)
        if names not in self._places:
            self.objects.append([_NAMES, *parts])
            self._places[names] = len(self.objects) - 1
        return ["o", self._places[names]]

    def _object(self, value: Struct) -> int:
        place = self._places.get(value) if isinstance(value, _SHARED) else None
        if place is not None:
            return place
        self.objects.append([type(value).__name__, *map(self.value, _told(value))])
        if isinstance(value, _SHARED):
            self._places[value] = len(self.objects) - 1
        return len(self.objects) - 1

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


class _Decoder:
    """Makes values again, each object when it is first asked for."""

    def __init__(self, objects: Sequence[Raw]) -> None:
        self.conditions: list[Condition] = []
        self._written = objects
        self._parsed = json.Decoder().decode
        self._made: dict[int, Any] = {}

    def part(self, place: int) -> Any:
        """One object, made once."""
        made = self._made.get(place)
        if made is None:
            name, *parts = self._parsed(self._written[place])
            made = frozenset(parts) if name == _NAMES else _CLASSES[name](*self.values(parts))
            self._made[place] = made
        return made

    def values(self, written: Sequence[Json]) -> list[Any]:
        """Values, of which those that are no scalars are lists."""
        return [each if type(each) in _SCALARS else _KINDS[each[0]](self, each) for each in written]


def _enum(_: _Decoder, written: list[Json]) -> Any:
    return cast("Callable[[Json], Any]", _CLASSES[written[1]])(written[2])


def _ellipsis(_: _Decoder, __: list[Json]) -> Any:
    return ...


def _map(decoder: _Decoder, written: list[Json]) -> dict[Any, Any]:
    values = decoder.values(written[1:])
    return dict(zip(values[::2], values[1::2], strict=True))


_KINDS: Final[Mapping[str, Callable[[_Decoder, list[Json]], Any]]] = {
    "e": _enum,
    "i": lambda decoder, written: decoder.conditions[int(written[1])],
    "o": lambda decoder, written: decoder.part(written[1]),
    "t": lambda decoder, written: tuple(decoder.values(written[1:])),
    "s": lambda decoder, written: frozenset(decoder.values(written[1:])),
    "m": _map,
    "n": lambda _, written: written[1],
    "c": _Cells,
    "p": lambda _, written: Path(written[1]),
    "b": lambda _, written: bytes(written[1], "latin-1"),
    "j": lambda _, written: complex(*written[1:]),
    "...": _ellipsis,
}
"""What a list that begins so stands for."""

"""A reading made of what was written of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from msgspec import json
from msgspec.structs import replace

from opcheck.reading import Reading
from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.project import Cell

from .written import CLASSES, OBJECT, Json, Written

_SCALARS: Final = frozenset({str, int, float, bool, type(None)})


def decode(written: Written) -> Reading:
    """The reading that was encoded. Raises TypeError, ValueError or LookupError for anything else."""
    decoder = _Decoder(written)
    decoder.conditions += Conditions().rebuild(decoder.values(written.atoms), written.nodes)
    [reading] = decoder.values([written.root])
    if not isinstance(reading, Reading):
        raise TypeError
    return replace(reading, modules=written.modules, statements=written.statements, slots=dict(written.slots))


class _Cells(Mapping[tuple[str, str], Cell]):
    """The cells of an op, each made when it is first asked for: a target looks at few of them."""

    def __init__(self, decoder: _Decoder, written: list[Json]) -> None:
        self._decoder = decoder
        self._written: Mapping[str, Mapping[str, Sequence[int]]] = written[1]
        self._made: dict[tuple[str, str], Cell] = {}

    def __getitem__(self, key: tuple[str, str]) -> Cell:
        made = self._made.get(key)
        if made is None:
            backend, context = key
            outcomes = tuple(map(self._decoder.part, self._written[context][backend]))
            made = self._made[key] = Cell(backend, context, outcomes)
        return made

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return ((backend, context) for context, row in self._written.items() for backend in row)

    def __len__(self) -> int:
        return sum(map(len, self._written.values()))


class _Decoder:
    """Makes values again, each object when it is first asked for."""

    def __init__(self, written: Written) -> None:
        self.conditions: list[Condition] = []
        self._objects = written.objects
        self._parsed = json.Decoder().decode
        self._made: dict[int, Any] = {}
        members = [cast("Callable[[str], Any]", CLASSES[name])(value) for name, value in written.members]
        self._lists: Sequence[Sequence[Any]] = (self.conditions, written.spans, written.errors, written.names, members)

    def part(self, place: int) -> Any:
        """One object, made once."""
        made = self._made.get(place)
        if made is None:
            name, elsewhere, *fields = self._parsed(self._objects[place])
            numbers = iter(elsewhere)
            for at, kind, which in zip(numbers, numbers, numbers, strict=True):
                fields[at] = self._lists[kind][which] if kind < OBJECT else self._made_here(kind, which, fields[at])
            made = self._made[place] = CLASSES[name](*fields)
        return made

    def _made_here(self, kind: int, place: int, written: Json) -> Any:
        return self.part(place) if kind == OBJECT else _KINDS[written[0]](self, written)

    def values(self, written: Sequence[Json]) -> list[Any]:
        """Values, of which those that are no scalars are lists."""
        return [each if type(each) in _SCALARS else _KINDS[each[0]](self, each) for each in written]

    def referred(self, written: list[Json]) -> Any:
        """What is written elsewhere."""
        _, kind, which = written
        return self.part(which) if kind == OBJECT else self._lists[kind][which]


def _ellipsis(_: _Decoder, __: list[Json]) -> Any:
    return ...


def _map(decoder: _Decoder, written: list[Json]) -> dict[Any, Any]:
    values = decoder.values(written[1:])
    return dict(zip(values[::2], values[1::2], strict=True))


_KINDS: Final[Mapping[str, Callable[[_Decoder, list[Json]], Any]]] = {
    "r": _Decoder.referred,
    "o": lambda decoder, written: tuple(map(decoder.part, written[1:])),
    "t": lambda decoder, written: tuple(decoder.values(written[1:])),
    "s": lambda decoder, written: frozenset(decoder.values(written[1:])),
    "m": _map,
    "n": lambda _, written: written[1],
    "c": _Cells,
    "b": lambda _, written: bytes(written[1], "latin-1"),
    "j": lambda _, written: complex(*written[1:]),
    "...": _ellipsis,
}
"""What a list that begins so stands for."""

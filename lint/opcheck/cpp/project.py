"""The C++ sources of a project, as the PyTorch adapter keeps what they register."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from opcheck_rules.model.condition import Condition, Conditions

from ..adapters.torch.records import Defined, Filled
from ..symbolic.collect import Reached
from .effects import effects
from .read import read_natives


class Loading(Struct, frozen=True):
    """Where Python code loads what the sources are compiled into: under which condition, and from which entries.

    `extensions` are the names that it is imported by.
    """

    condition: Condition
    entries: frozenset[str]
    extensions: tuple[str, ...]


def compiled_effects(
    sources: Mapping[Path, bytes], space: Conditions, loading: Loading, order: int
) -> list[Reached[Defined | Filled]]:
    """What the sources register, each with the condition under which an import of the project loads it.

    Nothing says which source goes into which extension: each is taken to be there where any is. `order` counts on from
    the statements that Python code ran.
    """
    names = {name.rpartition(".")[2] for name in loading.extensions}
    records = [r.in_extension(name) for r in read_natives(sources) for name in names or {""}]
    found = effects(records, space, loading.condition)
    return [
        Reached(record, condition, span, order + i, "", loading.entries, hypothetical=False)
        for i, (record, condition, span) in enumerate(found)
    ]


def loading(space: Conditions, loads: Sequence[tuple[Condition, frozenset[str]]], extensions: Iterable[str]) -> Loading:
    """Every load as one; where nothing in Python loads the code, whether anything does is not known."""
    if not loads:
        return Loading(space.atom("loaded:the compiled extension"), frozenset(), ())
    condition = space.any(condition for condition, _ in loads)
    entries = frozenset[str]().union(*(entries for _, entries in loads))
    return Loading(condition, entries, tuple(extensions))

"""The dispatch tables of a run, as every format is given them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import TypeAlias

from msgspec import Struct

from opcheck.report.entries import Entry, Row

Column: TypeAlias = tuple[str, str, str]
"""A target, a backend and a context."""


class Tables(Struct, frozen=True):
    """The ops with their cells under each target.

    `columns` are those that a table for people has, which is `width` cells wide and says why cells are not covered
    `with_reasons`; paths are shown relative to the folder `base`.
    """

    targets: Sequence[str]
    rows: Sequence[Row]
    columns: Sequence[Column]
    base: PurePath
    width: int = 100
    with_reasons: bool = False

    def label(self, column: Column) -> str:
        """A column by itself: its heading, with the target where there are several."""
        return f"{column[0]} {heading(column)}" if len(self.targets) > 1 else heading(column)


def columns_of(rows: Iterable[Row], *, all_columns: bool) -> list[Column]:
    """The columns worth showing, in the order in which they are met.

    Unless `all_columns`, they are those the targets ask for, and the backends that some op has a kernel of its own for.
    """
    found = [entry for _, entries in rows for entry in entries]
    asked = {column_of(entry) for entry in found if entry.asked}
    contexts = {(target, context) for target, _, context in asked}
    wanted = {
        column_of(entry)
        for entry in found
        if (entry.target, entry.context) in contexts and (all_columns or (entry.named and entry.context == "forward"))
    }
    return sorted({*asked, *wanted}, key=list(dict.fromkeys(map(column_of, found))).index)


def column_of(entry: Entry) -> Column:
    """The column that a cell stands in."""
    return entry.target, entry.backend, entry.context


def by_column(entries: Iterable[Entry]) -> Mapping[Column, Entry]:
    """The cells of one op, each under its column."""
    return {column_of(entry): entry for entry in entries}


def heading(column: Column) -> str:
    """A column's backend, with the context where that is not the plain call."""
    _, backend, context = column
    return backend if context == "forward" else f"{backend} {context}"

"""Dispatch tables for people: one row an op, one column a backend of a target."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from opcheck.report.entries import Entry, Row
from opcheck.report.snippet import wrapped
from opcheck.report.source import printable
from opcheck.report.style import cell_len, styled
from opcheck_rules.model.project import Op

from .marks import MARKS, Mark, is_wanting, mark
from .tables import Column, Tables, by_column

Cell: TypeAlias = tuple[str, str]
"""A text and its style."""

_GAP: Final = "  "
_WIDEST_MARK: Final = max(len(shown.text) for shown in MARKS)


def table_text(tables: Tables) -> str:
    """The table in blocks of columns that fit its width, a legend of its marks, and on demand reasons below."""
    rows = [(_name(op), _marks(by_column(entries), tables.columns)) for op, entries in tables.rows]
    names = max((cell_len(name) for name, _ in rows), default=0)
    blocks = _blocks(tables.columns, tables.width - names)
    lines = [line for block in blocks for line in _block(rows, block, names)]
    lines += _legend({shown for _, marks in rows for shown in marks.values()}, tables.width)
    return "\n".join([*lines, "", *_reasons(tables.rows)] if tables.with_reasons else lines)


def _reasons(rows: Iterable[Row]) -> Iterator[str]:
    """Why each cell that a target asks for is not simply covered, one line a cell."""
    for op, entries in rows:
        for entry in filter(is_wanting, entries):
            when = f", covered when {entry.condition}" if entry.condition else ""
            place = f"{entry.backend} {entry.context}, {entry.target}"
            yield printable(f"{op.name} ({place}): {mark(entry).text}{when}: {entry.reason}")


def _marks(cells: Mapping[Column, Entry], columns: Iterable[Column]) -> dict[Column, Mark]:
    return {column: mark(cells[column]) for column in columns if column in cells}


def _blocks(columns: Sequence[Column], room: int) -> Iterator[list[Column]]:
    """Part the columns into runs that fit, at least one column a run."""
    block: list[Column] = []
    for column in columns:
        if block and _span(_widths([*block, column])) > room - len(_GAP):
            yield block
            block = []
        block.append(column)
    if block:
        yield block


def _block(rows: Iterable[tuple[str, dict[Column, Mark]]], columns: Sequence[Column], names: int) -> Iterator[str]:
    widths = _widths(columns)
    targets = [(target, _span(width for _, width in group)) for target, group in _groups(columns, widths)]
    yield _line("", names, [(target, "bold") for target, _ in targets], [width for _, width in targets])
    for part in _headers(columns):
        yield _line("", names, [(text, "bold") for text in part], widths)
    for name, marks in rows:
        shown = (marks.get(column) for column in columns)
        yield _line(name, names, [(found.text, found.style) if found else ("", "") for found in shown], widths)
    yield ""


def _headers(columns: Sequence[Column]) -> Iterator[tuple[str, ...]]:
    """A row of backends, and one of the contexts beside the forward call, where there are any."""
    yield from (row for row in zip(*map(_head, columns), strict=True) if any(row))


def _head(column: Column) -> tuple[str, str]:
    _, backend, context = column
    return backend, "" if context == "forward" else context


def _groups(columns: Iterable[Column], widths: Iterable[int]) -> Iterator[tuple[str, Iterator[tuple[Column, int]]]]:
    """The columns of each target with their widths: its name stands once above all of them."""
    return groupby(zip(columns, widths, strict=True), key=lambda each: each[0][0])


def _widths(columns: Sequence[Column]) -> list[int]:
    """How wide each column is: the last of a target takes what its name has too much for them."""
    found: list[int] = []
    for target, group in _groups(columns, map(_width, columns)):
        *widths, last = (width for _, width in group)
        found += [*widths, max(last, cell_len(target) - sum(width + len(_GAP) for width in widths))]
    return found


def _span(widths: Iterable[int]) -> int:
    """How wide some columns are together."""
    return sum(width + len(_GAP) for width in widths) - len(_GAP)


def _line(name: str, names: int, cells: Iterable[Cell], widths: Iterable[int]) -> str:
    line = name + " " * (names - cell_len(name))
    for (text, style), width in zip(cells, widths, strict=True):
        line += _GAP + styled(text, style) + " " * (width - cell_len(text))
    return line.rstrip()


def _name(op: Op) -> str:
    """An op's name, marked where nothing that was read defines it."""
    return printable(op.name) if op.has_definition else f"{printable(op.name)} (not defined)"


def _width(column: Column) -> int:
    return max(*map(cell_len, _head(column)), _WIDEST_MARK)


def _legend(used: Collection[Mark], width: int) -> Iterator[str]:
    meanings = _GAP.join(f"{shown.text}: {shown.meaning}" for shown in MARKS if shown in used)
    return (styled(row, "dim") for row in wrapped(meanings, width))

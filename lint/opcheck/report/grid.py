"""Dispatch tables for people: one row an op, one column a backend of a target."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from opcheck_rules.model.project import Op, Status

from .entries import Entry, Row
from .snippet import wrapped
from .source import printable
from .style import cell_len, styled

Column = tuple[str, str, str]
"""A target, a backend and a context."""

_GAP: Final = "  "
_MARKS: Final = {
    Status.COVERED: ("ok", "green"),
    Status.HOLE: ("HOLE", "bold red"),
    Status.CONDITIONAL: ("if", "yellow"),
    Status.UNKNOWN: ("?", "yellow"),
    Status.EXCLUDED: ("n/a", "dim"),
}
_STUB: Final = ("stub", "bold red")
_NOT_ASKED: Final = (".", "dim")
_SHUT: Final = ("off", "dim")
_LEGEND: Final = {
    "ok": "covered",
    "HOLE": "nothing covers it",
    "if": "depends on what the target leaves open",
    "?": "not read",
    "n/a": "left out on purpose",
    "stub": "its kernel only raises",
    "off": "only behind what fails here, and not asked for",
    ".": "not covered, and not asked for",
}


def grid(rows: Sequence[Row], width: int, *, all_columns: bool) -> str:
    """The table in blocks of columns that fit `width`, and a legend of its marks.

    Unless `all_columns`, the columns are those the targets ask for, and the backends that some op has a kernel of its
    own for.
    """
    columns = _columns(rows, all_columns=all_columns)
    cells = {(id(op), *_column(entry)): entry for op, entries in rows for entry in entries}
    names = max((cell_len(_name(op)) for op, _ in rows), default=0)
    lines = [line for block in _blocks(columns, width - names) for line in _block(rows, block, cells, names)]
    used = {_mark(entry)[0] for entry in cells.values() if _column(entry) in columns}
    return "\n".join([*lines, *_legend(used, width)])


def reasons(rows: Iterable[Row]) -> Iterator[str]:
    """Why each cell that a target asks for is not simply covered, one line a cell."""
    for op, entries in rows:
        for entry in entries:
            if entry.asked and (entry.stub or not (entry.always or entry.status is Status.COVERED)):
                when = f", covered when {entry.condition}" if entry.condition else ""
                place = f"{entry.backend} {entry.context}, {entry.target}"
                yield printable(f"{op.name} ({place}): {_mark(entry)[0]}{when}: {entry.reason}")


def _columns(rows: Iterable[Row], *, all_columns: bool) -> list[Column]:
    """The columns worth showing, in the order in which they are met."""
    found = [entry for _, entries in rows for entry in entries]
    asked = {_column(entry) for entry in found if entry.asked}
    contexts = {(target, context) for target, _, context in asked}
    wanted = {
        _column(entry)
        for entry in found
        if (entry.target, entry.context) in contexts and (all_columns or (entry.named and entry.context == "forward"))
    }
    return sorted({*asked, *wanted}, key=list(dict.fromkeys(map(_column, found))).index)


def _column(entry: Entry) -> Column:
    return entry.target, entry.backend, entry.context


def _blocks(columns: Sequence[Column], room: int) -> Iterator[list[Column]]:
    """Part the columns into runs that fit, at least one column a run."""
    block: list[Column] = []
    used = 0
    for column in columns:
        needed = len(_GAP) + _width(column)
        if block and used + needed > room:
            yield block
            block, used = [], 0
        block.append(column)
        used += needed
    if block:
        yield block


def _block(
    rows: Iterable[Row], columns: Sequence[Column], cells: Mapping[tuple[int, str, str, str], Entry], names: int
) -> Iterator[str]:
    for part in _headers(columns):
        yield _line("", names, [(text, "bold", _width(column)) for text, column in zip(part, columns, strict=True)])
    for op, _ in rows:
        marks = [_mark(cells.get((id(op), *column))) for column in columns]
        yield _line(_name(op), names, [(*mark, _width(column)) for mark, column in zip(marks, columns, strict=True)])
    yield ""


def _headers(columns: Sequence[Column]) -> Iterator[tuple[str, ...]]:
    """A row of targets, one of backends, and one of the contexts beside the forward call, where there are any."""
    heads = [_head(column) for column in columns]
    yield from (row for row in zip(*heads, strict=True) if any(row))


def _head(column: Column) -> Column:
    target, backend, context = column
    return target, backend, "" if context == "forward" else context


def _line(name: str, names: int, cells: Iterable[tuple[str, str, int]]) -> str:
    line = name + " " * (names - cell_len(name))
    for text, style, width in cells:
        line += _GAP + styled(text, style) + " " * (width - cell_len(text))
    return line.rstrip()


def _mark(entry: Entry | None) -> tuple[str, str]:
    if entry is None:
        return "", ""
    if entry.stub:
        return _STUB
    if entry.always:
        return _MARKS[Status.COVERED]
    if entry.status is Status.HOLE and not entry.asked:
        return _SHUT if entry.condition else _NOT_ASKED
    return _MARKS[entry.status]


def _name(op: Op) -> str:
    """An op's name, marked where nothing that was read defines it."""
    return printable(op.name) if op.has_definition else f"{printable(op.name)} (not defined)"


def _width(column: Column) -> int:
    return max(*map(cell_len, _head(column)), len("HOLE"))


def _legend(used: Collection[str], width: int) -> Iterator[str]:
    meanings = _GAP.join(f"{mark}: {meaning}" for mark, meaning in _LEGEND.items() if mark in used)
    return (styled(row, "dim") for row in wrapped(meanings, width))

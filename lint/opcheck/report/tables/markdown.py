"""Dispatch tables for a review comment or a wiki: one table a target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opcheck.report.entries import Entry
from opcheck.report.markup import code, marked_up
from opcheck_rules.model.project import Op

from .marks import HOLE, MARKS, STUB, Mark, is_wanting, mark
from .tables import Column, Tables, by_column, heading


def table_markdown(tables: Tables) -> str:
    """The tables, a legend of their marks, and on demand why cells are not covered."""
    lines = [line for target in tables.targets for line in _table(tables, target)]
    lines += [_legend(tables)]
    return "\n".join([*lines, *(["", *_reasons(tables)] if tables.with_reasons else [])]).rstrip()


def table_lines(head: Iterable[str], body: Iterable[Iterable[str]]) -> Iterator[str]:
    """The lines of a table, of cells that are markup already."""
    titles = list(head)
    yield _line(titles)
    yield _line("---" for _ in titles)
    yield from map(_line, body)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _table(tables: Tables, target: str) -> Iterator[str]:
    columns = [column for column in tables.columns if column[0] == target]
    if columns:
        yield from (f"### {code(target)}", "")
        yield from table_lines(["op", *map(heading, columns)], (_row(op, es, columns) for op, es in tables.rows))
        yield ""


def _row(op: Op, entries: Iterable[Entry], columns: Iterable[Column]) -> Iterator[str]:
    yield code(op.name) + ("" if op.has_definition else " (not defined)")
    cells = by_column(entries)
    yield from (styled(mark(cells[column])) if column in cells else "" for column in columns)


def styled(shown: Mark) -> str:
    """A mark, bold where a call would raise."""
    return f"**{shown.text}**" if shown in (HOLE, STUB) else shown.text


def _legend(tables: Tables) -> str:
    columns = set(tables.columns)
    used = {mark(cell) for _, es in tables.rows for column, cell in by_column(es).items() if column in columns}
    return ", ".join(f"`{shown.text}` {shown.meaning}" for shown in MARKS if shown in used)


def _reasons(tables: Tables) -> Iterator[str]:
    for op, entries in tables.rows:
        for entry in filter(is_wanting, entries):
            place = f"{entry.backend} {entry.context}, {code(entry.target)}"
            when = f", covered when {code(entry.condition)}" if entry.condition else ""
            yield f"- {code(op.name)} ({place}): {styled(mark(entry))}{when}: {marked_up(entry.reason)}"

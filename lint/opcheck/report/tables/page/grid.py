"""The table of the page: a button a cell, with what it opens beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter
from xml.etree.ElementTree import Element

from opcheck.report.entries import Entry, Row
from opcheck.report.source import LinesOf, printable, source_lines
from opcheck.report.tables.marks import mark
from opcheck.report.tables.tables import Column, Tables, by_column, heading
from opcheck_rules.model.project import Op

from .details import details
from .elements import element


def head(tables: Tables) -> Iterator[Element]:
    """A row of targets over one of backends."""
    groups = ((target, len(list(group))) for target, group in groupby(tables.columns, key=itemgetter(0)))
    over = (element("th", t, scope="colgroup", colspan=str(span), data_target=t) for t, span in groups)
    yield element("tr", element("td"), *over)
    heads = (element("th", heading(c), scope="col", data_target=c[0], data_backend=c[1]) for c in tables.columns)
    yield element("tr", element("th", "Op", scope="col"), *heads)


def body(tables: Tables) -> Iterator[Element]:
    """A row an op."""
    lines_of: LinesOf = cache(source_lines)
    return (_row(row, tables, lines_of) for row in tables.rows)


def _row(row: Row, tables: Tables, lines_of: LinesOf) -> Element:
    op, entries = row
    cells = by_column(entries)
    made = element("tr", _name(op), role="row", data_op=op.name)
    for column in tables.columns:
        cell = _cell(column)
        if column in cells:
            entry = cells[column]
            _fill(cell, entry, tables.label(column), details(op, entry, tables.base, lines_of))
        made.append(cell)
    return made


def _name(op: Op) -> Element:
    missing = [] if op.has_definition else [element("small", " not defined")]
    return element("th", element("code", op.name), *missing, scope="row", role="rowheader")


def _cell(column: Column) -> Element:
    target, backend, _ = column
    return element("td", role="gridcell", data_target=target, data_backend=backend)


def _fill(cell: Element, entry: Entry, label: str, opened: Iterable[Element]) -> None:
    """Put the mark of an entry into its cell, as a button, and what that opens."""
    found = mark(entry)
    say = {"aria_label": f"{label}: {found.text}, {found.meaning}", "aria_controls": "detail", "aria_expanded": "false"}
    cell.set("data-mark", found.text)
    cell.set("data-label", printable(label))
    cell.append(element("button", found.text, type="button", tabindex="-1", data_mark=found.text, **say))
    cell.append(element("template", *opened))

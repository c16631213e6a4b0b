"""What a cell of the page opens: why it is as it is, and the source that decides it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from xml.etree.ElementTree import Element

from opcheck.report.entries import Entry
from opcheck.report.places import shown
from opcheck.report.source import LinesOf, excerpt
from opcheck.report.tables.marks import mark
from opcheck.report.tables.tables import column_of, heading
from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Op

from .elements import element

_LONGEST_LINE = 400


def details(op: Op, entry: Entry, base: PurePath, lines_of: LinesOf) -> Iterator[Element]:
    """A cell's headline, its status and reason, and the line at each place that decides it."""
    where = f" on {heading(column_of(entry))}, {entry.target}"
    yield element("h2", element("code", op.name), where)
    found = mark(entry)
    yield element("p", element("b", found.text, data_mark=found.text), f" {found.meaning}")
    if entry.condition:
        yield element("p", "Covered when ", element("code", entry.condition))
    yield element("p", entry.reason)
    for span in entry.places:
        yield _place(span, base, lines_of)


def _place(span: Span, base: PurePath, lines_of: LinesOf) -> Element:
    where = element("figcaption", f"{shown(span.path, base)}:{span.line}")
    found = lines_of(span.path)[span.line - 1 : span.line]
    source = [element("pre", element("code", excerpt(line.strip(), 1, _LONGEST_LINE).text)) for line in found]
    return element("figure", where, *source)

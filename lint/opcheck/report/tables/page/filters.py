"""The boxes that choose what the page shows; none checked of a kind shows all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from opcheck.report.tables.marks import MARKS, Mark, mark
from opcheck.report.tables.tables import Tables, by_column

from .elements import element


def filters(tables: Tables) -> Iterator[Element]:
    """A group of boxes for the targets, where there are several, the backends and the marks."""
    if len(tables.targets) > 1:
        yield _choice("Target", "target", tables.targets)
    yield _choice("Backend", "backend", dict.fromkeys(backend for _, backend, _ in tables.columns))
    yield _marks_choice(_counted(tables))


def _counted(tables: Tables) -> Counter[Mark]:
    columns = set(tables.columns)
    cells = (item for _, entries in tables.rows for item in by_column(entries).items())
    return Counter(mark(entry) for column, entry in cells if column in columns)


def _choice(title: str, name: str, values: Iterable[str]) -> Element:
    boxes = (element("label", _box(name, value), value) for value in values)
    return element("fieldset", element("legend", title), *boxes)


def _marks_choice(counted: Counter[Mark]) -> Element:
    """The marks to choose from, which is their legend too."""
    boxes = (_mark_box(shown, counted[shown]) for shown in MARKS if shown in counted)
    return element("fieldset", element("legend", "Status"), *boxes)


def _mark_box(shown: Mark, count: int) -> Element:
    name = element("b", shown.text, data_mark=shown.text)
    return element("label", _box("mark", shown.text), name, f" {shown.meaning} ({count})")


def _box(name: str, value: str) -> Element:
    return element("input", type="checkbox", name=name, value=value)

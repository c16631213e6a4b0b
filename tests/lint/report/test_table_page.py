"""The page of dispatch tables, as the file that it is. What it does in a browser is looked at in one."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from opcheck.report.entries import Entry, Row
from opcheck.report.tables.page import table_page
from opcheck.report.tables.page.elements import element, markup
from opcheck.report.tables.tables import Tables, columns_of
from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Op, Status

HOSTILE = "</script></template>\"'&amp;<b>"


class _Page(HTMLParser):
    """The elements of a page and its texts, as a browser would take them apart."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def _row(folder: Path, name: str, *entries: Entry, defined: bool = True) -> Row:
    span = Span(str(folder / "ops.py"), 2, 1, 2, 2)
    return Op(name, name, "torch", span, span, Conditions().true, {}, has_definition=defined), entries


def _entry(folder: Path, target: str, backend: str, status: Status = Status.HOLE, *, line: int = 2) -> Entry:
    place = Span(str(folder / "ops.py"), line, 1, line, 2)
    condition = "pkg.FAST" if status is Status.CONDITIONAL else None
    return Entry(target, backend, "forward", status, None, condition, "the reason", asked=True, places=(place,))


def _page(folder: Path, *rows: Row, targets: tuple[str, ...] = ("serve",)) -> _Page:
    return _Page(table_page(Tables(targets, rows, columns_of(rows, all_columns=False), folder)))


def test_nothing_is_fetched_and_no_other_script_is_let_in(tmp_path: Path) -> None:
    page = _page(tmp_path, _row(tmp_path, "ns::op", _entry(tmp_path, "serve", "cuda")))

    assert not {"link", "img", "iframe", "object", "base"}.intersection(page.tags)
    assert not {"src", "href", "action", "style", "onclick"}.intersection(name for name, _ in page.attributes)
    assert page.tags.count("script") == page.tags.count("style") == 1
    policy = next(value for name, value in page.attributes if value and value.startswith("default-src 'none'"))
    assert policy.count("'sha256-") == 2


def test_a_cell_holds_its_reason_its_place_and_the_line_there(tmp_path: Path) -> None:
    (tmp_path / "ops.py").write_text("import torch\n    define('ns::op')\n")
    page = _page(tmp_path, _row(tmp_path, "ns::op", _entry(tmp_path, "serve", "cuda", Status.CONDITIONAL)))

    assert [text for text in page.texts if text in ("the reason", "ops.py:2", "define('ns::op')")] == [
        "the reason",
        "ops.py:2",
        "define('ns::op')",
    ]
    assert "pkg.FAST" in page.texts


@pytest.mark.parametrize("source", [None, "one line\n"])
def test_a_line_that_is_not_there_leaves_the_place_alone(tmp_path: Path, source: str | None) -> None:
    if source:
        (tmp_path / "ops.py").write_text(source)
    page = _page(tmp_path, _row(tmp_path, "ns::op", _entry(tmp_path, "serve", "cuda", line=9)))

    assert "ops.py:9" in page.texts
    assert "pre" not in page.tags


def test_hostile_names_and_source_are_text(tmp_path: Path) -> None:
    (tmp_path / "ops.py").write_text(f"\nx = {HOSTILE}\x00\n")
    page = _page(tmp_path, _row(tmp_path, HOSTILE, _entry(tmp_path, HOSTILE, "cuda")), targets=(HOSTILE, "serve"))

    assert page.tags.count("script") == page.tags.count("template") == 1
    assert page.texts.count(HOSTILE) == 4  # the filter, the head, the row and the opened cell
    assert f"x = {HOSTILE}\N{REPLACEMENT CHARACTER}" in page.texts
    assert {("data-op", HOSTILE), ("data-target", HOSTILE), ("value", HOSTILE)} <= set(page.attributes)


def test_targets_are_a_filter_where_there_are_several(tmp_path: Path) -> None:
    entries = [_entry(tmp_path, target, "cuda") for target in ("serve", "train")]
    row = _row(tmp_path, "ns::op", *entries)

    assert "Target" in _page(tmp_path, row, targets=("serve", "train")).texts
    assert "Target" not in _page(tmp_path, row).texts


def test_an_op_without_a_cell_in_some_column_has_an_empty_one(tmp_path: Path) -> None:
    rows = [
        _row(tmp_path, "ns::op", _entry(tmp_path, "serve", "cuda")),
        _row(tmp_path, "pkg.op", _entry(tmp_path, "serve", "cupy"), defined=False),
    ]
    page = _page(tmp_path, *rows)

    assert page.attributes.count(("role", "gridcell")) == 4
    assert page.attributes.count(("type", "button")) == 2 + 1  # and the one that closes a cell
    assert " not defined" in page.texts


def test_texts_and_elements_keep_their_order() -> None:
    assert markup(element("p", "a<", element("b"), "c&", "d", class_="x", data_mark='"')) == (
        '<p class="x" data-mark="&quot;">a&lt;<b></b>c&amp;d</p>'
    )

"""Labelled source lines: the middle of a diagnostic."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import PurePath
from typing import Final

from msgspec import Struct

from opcheck_rules.model.finding import Label, Span

from .places import shown
from .source import Excerpt, LinesOf, excerpt, printable, source_lines
from .style import cell_len, styled

_UNBOUNDED_LINE: Final = 160
_SHORTEST_LINE: Final = 20


class View(Struct, frozen=True):
    """How diagnostics are shown: paths relative to `base`, lines no wider than `width` cells where it is given.

    `lines_of` tells the lines of a file.
    """

    base: PurePath
    width: int | None = None
    lines_of: LinesOf = source_lines


class Gutter(Struct, frozen=True):
    """The column of line numbers, wide enough for the largest."""

    digits: int

    def row(self, content: str, line: int | None = None) -> str:
        """One row beside the gutter, with its line number where it has one."""
        number = "" if line is None else str(line)
        return styled(f"{number:>{self.digits}} |", "blue") + (" " if content else "") + content

    def mark(self, sign: str) -> str:
        """A sign that stands across the gutter: `-->`, `:::`."""
        return styled(" " * self.digits + sign, "blue")

    def footer(self, name: str, text: str, view: View) -> str:
        """A remark below the source: `= help: ...`, its further lines aligned with the first."""
        head = f"{' ' * self.digits} = {name}: "
        room = view.width - len(head) if view.width else None
        rows = [row for line in text.split("\n") for row in wrapped(printable(line), room)]
        return styled(head, "bold") + ("\n" + " " * len(head)).join(rows)


def gutter_for(labels: Iterable[Label]) -> Gutter:
    """The gutter that fits every line that is labelled."""
    return Gutter(max((len(str(label.span.line)) for label in labels), default=1))


def snippet(labels: Sequence[Label], gutter: Gutter, view: View, style: str) -> Iterator[str]:
    """The rows that show `labels`: the primary one's file first, then the others, each file's lines in their order."""
    files = list(dict.fromkeys(label.span.path for label in sorted(labels, key=lambda label: not label.primary)))
    for place, path in enumerate(files):
        inside = [label for label in labels if label.span.path == path]
        yield gutter.mark("::: " if place else "--> ") + _where(_leading(inside).span, view)
        if not place:
            yield gutter.mark(" |")
        yield from _file_rows(inside, gutter, view, style)


def wrapped(text: str, width: int | None) -> list[str]:
    """`text` in rows of at most `width`, or in one where that is None."""
    if width is None:
        return [text]
    rows = textwrap.wrap(text, max(width, _SHORTEST_LINE), break_long_words=False, break_on_hyphens=False)
    return rows or [""]


def _leading(labels: Sequence[Label]) -> Label:
    return next((label for label in labels if label.primary), labels[0])


def _where(span: Span, view: View) -> str:
    return f"{printable(shown(span.path, view.base))}:{span.line}:{span.column}"


def _file_rows(labels: Iterable[Label], gutter: Gutter, view: View, style: str) -> Iterator[str]:
    ordered = sorted(labels, key=lambda label: label.span)
    lines = view.lines_of(ordered[0].span.path)
    previous = None
    for number, group in groupby(ordered, key=lambda label: label.span.line):
        if previous is not None and number > previous + 1:
            yield styled("...", "blue")
        yield from _line_rows(lines[number - 1 : number], list(group), gutter, view, style)
        previous = number


def _line_rows(found: Sequence[str], labels: list[Label], gutter: Gutter, view: View, style: str) -> Iterator[str]:
    """One source line and the labels on it; the labels alone where the file has no such line."""
    if not found:
        yield from (gutter.row(label.text) for label in labels if label.text)
        return
    limit = max(view.width - gutter.digits - 9, _SHORTEST_LINE) if view.width else _UNBOUNDED_LINE
    line = excerpt(found[0].rstrip(), _leading(labels).span.column, limit)
    yield gutter.row(line.text, labels[0].span.line)
    for label in labels:
        yield from _label_rows(line, label, gutter, view, style)


def _label_rows(line: Excerpt, label: Label, gutter: Gutter, view: View, style: str) -> Iterator[str]:
    """The marks under a span, with the label's text beside them, or below where there is no room."""
    span = label.span
    start = line.cells(span.column)
    end = line.cells(span.end_column) if span.end_line == span.line else line.cells(len(line.line) + 1)
    marks = " " * start + ("^" if label.primary else "-") * max(end - start, 1)
    mark_style = f"bold {style}" if label.primary else "bold blue"
    text = printable(label.text)
    room = view.width - gutter.digits - 3 if view.width else None
    if room is None or cell_len(f"{marks} {text}") <= room:
        yield gutter.row(styled(f"{marks} {text}".rstrip(), mark_style))
    else:
        yield gutter.row(styled(marks, mark_style))
        yield from (gutter.row(styled(row, mark_style)) for row in wrapped(text, room))

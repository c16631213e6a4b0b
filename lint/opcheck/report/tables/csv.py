"""Dispatch tables for spreadsheets: one row a cell, every backend that the op's framework knows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from opcheck.report.entries import Entry
from opcheck.report.places import shown
from opcheck_rules.model.project import Op

from .marks import mark
from .tables import Tables

_HEAD: Final = (
    *("op", "framework", "path", "line", "defined"),
    *("target", "backend", "context", "status", "mark", "asked", "via", "condition", "reason"),
)
_STARTS_A_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def table_csv(tables: Tables) -> str:
    """The cells with what is known of them, under a row of headings."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(_HEAD)
    for op, entries in tables.rows:
        writer.writerows(map(_harmless, (*_of_op(op, tables.base), *_of_cell(entry))) for entry in entries)
    return written.getvalue().removesuffix("\n")


def _of_op(op: Op, base: PurePath) -> Iterator[str]:
    yield from (op.name, op.framework, shown(op.span.path, base), str(op.span.line), _yes_or_no(op.has_definition))


def _of_cell(entry: Entry) -> Iterator[str]:
    yield from (entry.target, entry.backend, entry.context)
    yield from (str(entry.status), mark(entry).text, _yes_or_no(entry.asked))
    yield from (entry.via or "", entry.condition or "", entry.reason)


def _yes_or_no(answer: bool) -> str:
    return "yes" if answer else "no"


def _harmless(text: str) -> str:
    """`text` as a spreadsheet shows it: what it would take for a formula begins with a quote."""
    return f"'{text}" if text.startswith(_STARTS_A_FORMULA) else text

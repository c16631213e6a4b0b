"""`opcheck table`: the dispatch tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from opcheck.engine import tables
from opcheck.report.entries import Row, entries
from opcheck.report.json import table_document
from opcheck.report.tables.csv import table_csv
from opcheck.report.tables.markdown import table_markdown
from opcheck.report.tables.page import table_page
from opcheck.report.tables.tables import Tables, columns_of
from opcheck.report.tables.text import reasons, table_text

from .asked import Asked, known_backends, target_options
from .console import HERE, notify, show, width_of
from .paths import paths_argument
from .subjects import Subject, subjects
from .summary import announcements, counted

_FORMATS: Final = ("text", "json", "markdown", "csv", "html")
_PRINTED_WIDTH: Final = 100


def _columns(_context: click.Context, _parameter: click.Parameter, given: str | None) -> tuple[str, ...]:
    return known_backends([name.strip() for name in given.split(",")] if given else [])


@click.command("table")
@paths_argument
@target_options
@click.option(
    "--format",
    "output_format",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="The form of the results.",
)
@click.option("--columns", metavar="BACKENDS", callback=_columns, help="Only these backends, parted by commas.")
@click.option("--reasons", "with_reasons", is_flag=True, help="Say below the table why a cell is not covered.")
@click.pass_context
def command(
    context: click.Context,
    *,
    paths: tuple[Path, ...],
    asked: Asked,
    output_format: str,
    columns: tuple[str, ...],
    with_reasons: bool,
) -> None:
    """Print which backends each op of the projects around PATHS serves, under each target."""
    found = subjects(paths, asked)
    for line in announcements(found):
        notify(line)
    table = _tables(found, columns)
    if output_format == "text" and not table.rows:
        notify("No custom ops found.")
    else:
        show(_written(table, output_format, with_reasons=with_reasons))
    unread = [file.span.path for subject in found for file in subject.reading.project.unreadable]
    if unread:
        notify(f"{counted(len(unread), 'file')} could not be read, and may declare more: `opcheck check` shows which.")
        context.exit(1)


def _tables(found: Sequence[Subject], columns: tuple[str, ...]) -> Tables:
    rows = [row for subject in found for row in _rows(subject, columns)]
    targets = dict.fromkeys(target.name for subject in found for target in subject.targets)
    return Tables(list(targets), rows, columns_of(rows, all_columns=bool(columns)), HERE)


def _rows(subject: Subject, columns: tuple[str, ...]) -> Iterator[Row]:
    """The ops declared in the files that were asked for, by name."""
    machines = [list(tables(subject.reading, target)) for target in subject.targets]
    reported = {str(path) for path in subject.files.reported}
    for op in sorted(subject.reading.project.ops, key=lambda op: (op.framework, op.name)):
        if op.span.path in reported:
            yield op, [entry for one in machines for entry in entries(op, one, columns, HERE)]


def _written(table: Tables, output_format: str, *, with_reasons: bool) -> str:
    match output_format:
        case "json":
            return table_document(table.targets, table.rows, table.base)
        case "markdown":
            return table_markdown(table, with_reasons=with_reasons)
        case "csv":
            return table_csv(table)
        case "html":
            return table_page(table)
        case _:
            text = table_text(table, width_of(sys.stdout) or _PRINTED_WIDTH)
            return "\n".join([text, "", *reasons(table.rows)]) if with_reasons else text

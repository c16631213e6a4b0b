"""`opcheck table`: the dispatch tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from opcheck.engine import tables
from opcheck.report.entries import Row, entries
from opcheck.report.grid import grid, reasons
from opcheck.report.json import table_document

from .asked import Asked, known_backends, target_options
from .console import HERE, notify, show, width_of
from .formats import format_option
from .paths import paths_argument
from .subjects import Subject, subjects
from .summary import announcements, counted

_PRINTED_WIDTH = 100


def _columns(_context: click.Context, _parameter: click.Parameter, given: str | None) -> tuple[str, ...]:
    return known_backends([name.strip() for name in given.split(",")] if given else [])


@click.command("table")
@paths_argument
@target_options
@format_option
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
    rows = [row for subject in found for row in _rows(subject, columns)]
    if output_format == "json":
        targets = dict.fromkeys(target.name for subject in found for target in subject.targets)
        click.echo(table_document(list(targets), rows, HERE))
    else:
        _print_text(rows, all_columns=bool(columns), with_reasons=with_reasons)
    unread = [file.span.path for subject in found for file in subject.reading.project.unreadable]
    if unread:
        notify(f"{counted(len(unread), 'file')} could not be read, and may declare more: `opcheck check` shows which.")
        context.exit(1)


def _rows(subject: Subject, columns: tuple[str, ...]) -> Iterator[Row]:
    """The ops declared in the files that were asked for, by name."""
    machines = [list(tables(subject.reading, target)) for target in subject.targets]
    reported = {str(path) for path in subject.files.reported}
    for op in sorted(subject.reading.project.ops, key=lambda op: (op.framework, op.name)):
        if op.span.path in reported:
            yield op, [entry for one in machines for entry in entries(op, one, columns, HERE)]


def _print_text(rows: Sequence[Row], *, all_columns: bool, with_reasons: bool) -> None:
    if not rows:
        notify("No custom ops found.")
        return
    width = width_of(sys.stdout) or _PRINTED_WIDTH
    show(grid(rows, width, all_columns=all_columns))
    if with_reasons:
        show("\n".join(["", *reasons(rows)]))

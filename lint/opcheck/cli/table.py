"""`opcheck table`: the dispatch tables, and what became of them since a revision."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import click
from msgspec.structs import replace

from opcheck.config import ConfigError
from opcheck.report.changes.formats import FORMATS as CHANGES_FORMATS
from opcheck.report.changes.told import summary
from opcheck.report.counts import counted
from opcheck.report.tables.formats import FORMATS
from opcheck.report.tables.tables import Tables, columns_of
from opcheck.since.changes import Direction
from opcheck.since.comparison import Comparison

from .asked import Asked, target_options
from .cells import rows_of
from .console import HERE, notify, show, width_of
from .formats import format_option_of
from .outputs import Output, output_option_of, save
from .paths import paths_argument
from .since import compared
from .subjects import Subject, subjects
from .summary import announcements

T = TypeVar("T")


def _columns(_context: click.Context, _parameter: click.Parameter, given: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for names in given if names for name in names.split(",")))


@click.command("table", short_help="Show which backends each op serves.")
@paths_argument
@target_options
@format_option_of(FORMATS)
@output_option_of(FORMATS)
@click.option(
    "--columns",
    multiple=True,
    metavar="BACKENDS",
    callback=_columns,
    help="Only these backends, parted by commas or each with the option again.",
)
@click.option("--reasons", "with_reasons", is_flag=True, help="Say below the table why a cell is not covered.")
@click.option("--since", metavar="REV", help="Show which cells were gained and lost since this git revision instead.")
@click.option("--fail-on-loss", is_flag=True, help="With --since, make the exit code 1 where a cell was lost.")
@click.pass_context
def command(
    context: click.Context,
    *,
    paths: tuple[Path, ...],
    asked: Asked,
    output_format: str,
    outputs: Sequence[Output],
    columns: tuple[str, ...],
    with_reasons: bool,
    since: str | None,
    fail_on_loss: bool,
) -> None:
    """Print which backends each op of the projects around PATHS serves, under each target."""
    _go_together(since, [output_format, *(output.format for output in outputs)], fail_on_loss=fail_on_loss)
    found = subjects(paths, asked, columns)
    for line in announcements(found):
        notify(line)
    failed = _tell_unread(found)
    if since is None:
        _print_tables(_tables(found, columns, with_reasons=with_reasons), output_format, outputs)
    else:
        comparison = compared(found, paths, since, columns)
        _print_changes(comparison, output_format, outputs)
        failed |= fail_on_loss and comparison.count(Direction.LOST) > 0
    if failed:
        context.exit(1)


def _go_together(since: str | None, formats: Iterable[str], *, fail_on_loss: bool) -> None:
    """Raises ConfigError for options that do not go together."""
    if since is None and fail_on_loss:
        raise ConfigError("--fail-on-loss needs --since", help="a cell is lost since some revision: name it")
    for name in formats:
        if since is not None and name not in CHANGES_FORMATS:
            raise ConfigError(f"--since has no {name} form", help=f"its forms are {', '.join(CHANGES_FORMATS)}")


def _tell_unread(found: Iterable[Subject]) -> bool:
    """Say how many files could not be read, where there are any: what is shown is then not the whole."""
    unread = [file for subject in found for file in subject.reading.project.unreadable]
    if unread:
        notify(f"{counted(len(unread), 'file')} could not be read, and may declare more: `opcheck check` shows which.")
    return bool(unread)


def _tables(found: Iterable[Subject], columns: tuple[str, ...], *, with_reasons: bool) -> Tables:
    rows = [row for subject in found for row in rows_of(subject, columns, HERE)]
    targets = dict.fromkeys(target.name for subject in found for target in subject.targets)
    shown = columns_of(rows, all_columns=bool(columns))
    return Tables(list(targets), rows, shown, HERE, with_reasons=with_reasons)


def _print_tables(tables: Tables, output_format: str, outputs: Iterable[Output]) -> None:
    _save(outputs, FORMATS, tables)
    if output_format == "text" and not tables.rows:
        notify("No custom ops found.")
    else:
        width = width_of(sys.stdout) or tables.width
        show(FORMATS[output_format](replace(tables, width=width)))


def _print_changes(comparison: Comparison, output_format: str, outputs: Iterable[Output]) -> None:
    _save(outputs, CHANGES_FORMATS, comparison)
    if comparison.changes or output_format != "text":
        show(CHANGES_FORMATS[output_format](comparison))
    notify(summary(comparison))


def _save(outputs: Iterable[Output], formats: Mapping[str, Callable[[T], str]], results: T) -> None:
    for output in outputs:
        save(output.path, formats[output.format](results) + "\n")

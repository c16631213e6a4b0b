"""`opcheck confirm`: the findings, each run in a process of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import which
from typing import Final

import click

from opcheck.config import ConfigError
from opcheck.confirm import Confirmation, Run, Verdict, confirm
from opcheck.confirm.process import Interpreter
from opcheck.fix.propose import with_fixes
from opcheck.report.confirmations import confirmation_text, confirmations_document, counted_verdicts
from opcheck.report.counts import counted
from opcheck.report.places import shown
from opcheck_rules.model.finding import Span

from .asked import Asked, target_options
from .console import HERE, notify, show
from .failures import DEFECT
from .formats import format_option
from .found import found_in
from .paths import paths_argument
from .selection import Selection, rule_options
from .subjects import Subject, subjects
from .summary import announcements

_SECONDS: Final = 120.0


def _program(_context: click.Context, _parameter: click.Parameter, name: str) -> str:
    """A program's path. Raises ConfigError where there is none of that name."""
    found = which(name)
    if found is None:
        raise ConfigError(f"cannot run `{name}`: no such program")
    return found


@click.command("confirm", short_help="Run each finding, and compare it with what happens.")
@paths_argument
@target_options
@rule_options
@format_option
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long each finding may run.",
)
@click.option(
    "--python",
    default=sys.executable,
    callback=_program,
    metavar="FILE",
    help="The Python that the project is installed for, if it is not the one opcheck runs on.",
)
@click.option(
    "--script",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the script of each finding there, to be run by hand.",
)
@click.pass_context
def command(
    context: click.Context,
    *,
    paths: tuple[Path, ...],
    asked: Asked,
    selection: Selection,
    output_format: str,
    timeout: float,
    python: str,
    folder: Path | None,
) -> None:
    """Run each finding, and compare what is raised with what was predicted.

    THIS EXECUTES THE PROJECT'S CODE: it imports the modules that declare the ops, and calls the ops, each finding in a
    process of its own. No other command does.

    A finding is confirmed, or refuted (a defect of opcheck, exit code 3), or not runnable here, with the reason: a
    missing package or device, or a target whose facts are not those of this machine.
    """
    found = subjects(paths, asked)
    for line in announcements(found):
        notify(line)
    interpreter = Interpreter(python, timeout)
    results = [result for subject in found for result in _confirmed(subject, selection, interpreter)]
    written = _written(results, folder)
    counts = counted_verdicts(results)
    if output_format == "json":
        click.echo(confirmations_document(list(zip(results, written, strict=True)), counts, HERE))
    else:
        for result, script in zip(results, written, strict=True):
            show(confirmation_text(result, script, HERE))
    notify(f"Ran {counted(len(results), 'finding')}: {', '.join(f'{n} {verdict}' for verdict, n in counts.items())}.")
    if counts[Verdict.REFUTED]:
        notify("A refuted finding is a defect of opcheck: please report it with its script (--script DIR).")
        context.exit(DEFECT)


def _confirmed(subject: Subject, selection: Selection, interpreter: Interpreter) -> Iterator[Confirmation]:
    targets = {target.name: target for target in subject.targets}
    found = with_fixes(found_in(subject, selection).findings, [subject.reading])
    yield from confirm(Run(subject.reading, targets, found, interpreter, _place))


def _place(span: Span) -> str:
    return f"{shown(span.path, HERE)}:{span.line}"


def _written(results: Sequence[Confirmation], folder: Path | None) -> list[Path | None]:
    """Write the scripts; gives where each one is. Raises ConfigError for a folder that cannot be written to.

    A folder that is made for them says that it is no part of the project: they import its modules, as an entry would.
    """
    if folder is None:
        return [None] * len(results)
    try:
        if not folder.exists():
            folder.mkdir(parents=True)
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")
        return [_write(result, folder) for result in results]
    except OSError as error:
        raise ConfigError(f"cannot write to `{folder}`: {error.strerror}") from None


def _write(result: Confirmation, folder: Path) -> Path | None:
    if result.script is None:
        return None
    path = folder / result.script.name
    path.write_text(result.script.text, encoding="utf-8")
    return path

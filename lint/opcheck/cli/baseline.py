"""`opcheck baseline`: the findings that are let pass, written once and shrunk from then on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click
from msgspec import Struct

from opcheck.config import ConfigError, nearest_configuration
from opcheck.config.selectors import chosen
from opcheck.engine import findings
from opcheck.report.counts import counted
from opcheck.report.places import shown
from opcheck.suppress.baseline import Entry, entry_of, place, read_baseline, written
from opcheck.suppress.ignores import ignores
from opcheck.writing import write_whole
from opcheck_rules import ALL_RULES, unused_suppression
from opcheck_rules.model.finding import Finding

from .asked import Asked
from .console import HERE, notify
from .found import concerns
from .paths import paths_argument
from .selection import Selection
from .subjects import Subject, subjects
from .summary import announcements

_EVERY_TARGET: Final = Asked((), (), autodiff=False, compile=False, vmap=False, feature=(), assume={})
_RULES: Final = [rule for rule in ALL_RULES if rule is not unused_suppression.RULE]


class _Change(Struct, frozen=True):
    """A project's baseline: the entries it keeps or takes in, and what no longer occurs.

    `left_out` is found and not taken in, and `others` are the findings that no entry can be for.
    """

    path: Path
    kept: frozenset[Entry]
    gone: frozenset[Entry]
    left_out: frozenset[Entry]
    others: int


@click.command("baseline", short_help="Let pass what is found today, and drop what is mended.")
@paths_argument
@click.option("--add", is_flag=True, help="Take in what is found and not in an existing baseline.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if entries no longer occur.")
@click.pass_context
def command(context: click.Context, *, paths: tuple[Path, ...], add: bool, only_check: bool) -> None:
    """Write what is found in each project around PATHS to its baseline; of one that is there, drop what is mended.

    `opcheck check` lets pass what a baseline has: findings of one rule on one op, backend and target.
    """
    if add and only_check:
        raise ConfigError("--add and --check exclude each other: one writes, the other does not")
    found = subjects(_projects(paths), _EVERY_TARGET)
    for line in announcements(found):
        notify(line)
    changes = [_change(subject, add=add, must_exist=only_check) for subject in found]
    for change in changes:
        if not only_check and (change.kept or change.path.exists()):
            write_whole(change.path, written(change.kept).encode())
        notify(_told(change))
    if only_check and any(change.gone for change in changes):
        context.exit(1)


def _projects(paths: Iterable[Path]) -> list[Path]:
    """The folders of the projects around some paths. Raises ConfigError at a path that no configuration is about."""
    folders = dict[Path, None]()
    for path in paths:
        source = nearest_configuration(path)
        if source is None:
            help = "`opcheck init` writes one"
            raise ConfigError(f"a baseline belongs to a configuration, and `{path.name}` has none", help=help)
        folders[source.parent] = None
    return list(folders)


def _change(subject: Subject, *, add: bool, must_exist: bool) -> _Change:
    path = place(subject.settings)
    is_there = path.exists()
    if must_exist and not is_there:
        raise ConfigError(f"there is no baseline `{shown(str(path), HERE)}`", help="`opcheck baseline` writes one")
    known = frozenset(read_baseline(subject.settings) if is_there else ())
    occurring = findings(subject.reading, subject.targets, _RULES)
    # What is not there may be in a file that could not be read.
    unread = bool(subject.reading.project.unreadable)
    gone = frozenset[Entry]() if unread else known - {entry_of(finding) for finding in occurring}
    wanted = [entry_of(finding) for finding in _reported(subject, occurring)]
    new = frozenset(entry for entry in wanted if entry) - known
    taken = new if add or not is_there else frozenset[Entry]()
    return _Change(path, known - gone | taken, gone, new - taken, wanted.count(None))


def _reported(subject: Subject, occurring: Iterable[Finding]) -> list[Finding]:
    """What `opcheck check` would report without the baseline."""
    codes = {rule.code for rule in chosen(_RULES, *Selection((), ()).over(subject.settings))}
    ignored = list(ignores(subject.settings, subject.files, subject.reading, whole=True))
    asked = (f for f in occurring if f.code in codes and concerns(f, subject.files))
    return [finding for finding in asked if not any(ignore.takes(finding) for ignore in ignored)]


def _told(change: _Change) -> str:
    """What is in a baseline, and what is not."""
    parts = [
        (len(change.gone), "no longer there"),
        (len(change.left_out), "not taken in (`--add` does)"),
        (change.others, "without an op to name, for which there are no entries"),
    ]
    said = [f"{counted(len(change.kept), 'finding')} let pass", *(f"{n} {what}" for n, what in parts if n)]
    return f"{shown(str(change.path), HERE)}: {', '.join(said)}."

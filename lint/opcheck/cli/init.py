"""`opcheck init`: a first configuration."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
from msgspec import Struct

from opcheck.config import ConfigError, nearest_configuration, unconfigured
from opcheck.config.document import load_document
from opcheck.config.error import start_of
from opcheck.config.load import OWN_FILE, SHARED_FILE
from opcheck.discovery import discover
from opcheck.draft import Draft, configuration, drafts
from opcheck.read import read
from opcheck.recognise.proposal import Proposal, lines
from opcheck.recognise.recognise import recognised
from opcheck.report.counts import counted
from opcheck.report.places import shown
from opcheck.report.source import printable
from opcheck.writing import write_whole

from .completion import folders
from .console import HERE, notify
from .paths import existing

_TABLE: Final = "tool.opcheck."


class _Addition(Struct, frozen=True):
    """Text for the end of a file, which may not be there yet."""

    path: Path
    before: str
    text: str


def _folder(context: click.Context, parameter: click.Parameter, path: str) -> Path:
    (folder,) = existing(context, parameter, (path,))
    if not folder.is_dir():
        raise ConfigError(f"`{path}` is not a folder", help="give the folder of the project")
    return folder


@click.command("init", short_help="Write a first configuration.")
@click.argument("folder", metavar="[FOLDER]", default=".", callback=_folder, shell_complete=folders)
@click.option("--dry-run", is_flag=True, help="Print what would be written, and write nothing.")
def command(*, folder: Path, dry_run: bool) -> None:
    """Write a first configuration for the project in FOLDER, from its dependencies and from what it declares.

    It becomes a table of the pyproject.toml there, or an opcheck.toml where there is none. What is there already stays.
    """
    source = nearest_configuration(folder)
    if source:
        raise ConfigError(f"`{shown(str(source), HERE)}` configures opcheck already", start_of(source))
    drafted, proposed = _drafted(folder)
    addition = _addition(folder, drafted, proposed)
    if dry_run:
        click.echo(addition.text, nl=False)
    else:
        write_whole(addition.path, (addition.before + addition.text).encode())
    verb = "Would write" if dry_run else "Wrote"
    what = counted(len(drafted), "target") if drafted else counted(len(proposed), "description")
    notify(f"{verb} {what} to {shown(str(addition.path), HERE)}, assuming:")
    for draft in drafted:
        notify(printable(f"- `{draft.target.name}`: {', '.join(_assumptions(draft))}"))
    for proposal in proposed:
        notify(printable(f"- a dispatcher of the project's own, described in comments: {proposal.seen}"))


def _drafted(folder: Path) -> tuple[list[Draft], list[Proposal]]:
    """The targets, and the dispatchers that nothing describes yet."""
    settings = unconfigured(folder)
    reading = read(settings, discover(settings, [folder]))
    for file in reading.project.unreadable:
        notify(f"warning: {shown(file.span.path, HERE)} could not be read, and may declare more")
    drafted = drafts(reading)
    proposed = [] if settings.dispatchers else recognised(settings.root, reading.modules)
    if not drafted and not proposed:
        raise ConfigError("no custom ops found: there is nothing to configure", help="give the folder of the project")
    return drafted, proposed


def _assumptions(draft: Draft) -> Iterator[str]:
    """What a drafted target takes for granted."""
    target = draft.target
    yield f"a machine where {draft.covered['forward']} of {draft.ops} ops have a kernel"
    if target.extras:
        yield f"with the extras {', '.join(target.extras)}, which bring what its kernels ask for"
    if target.features:
        yield f"with the features {', '.join(target.features)}, which gate kernels for it"
    if draft.guards:
        yield f"and nothing about {counted(len(draft.guards), 'guard')}, which the file lists"


def _addition(folder: Path, drafted: list[Draft], proposed: list[Proposal]) -> _Addition:
    """The table in the metadata where it can stand there, else a file of its own."""
    shared = folder / SHARED_FILE
    if shared.exists():
        load_document(shared)
        before = shared.read_bytes().decode()
        newline = "\r\n" if "\r\n" in before else "\n"
        gap = "" if not before else newline if before.endswith("\n") else newline * 2
        text = gap + _text(drafted, proposed, _TABLE).replace("\n", newline)
        if _is_toml(before + text):
            return _Addition(shared, before, text)
    return _Addition(folder / OWN_FILE, "", _text(drafted, proposed, ""))


def _text(drafted: list[Draft], proposed: list[Proposal], tool: str) -> str:
    return configuration(drafted, tool) + "".join(f"{line}\n" for line in lines(proposed, tool))


def _is_toml(text: str) -> bool:
    """Whether a table can be added: not where `tool` is written as a value."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True

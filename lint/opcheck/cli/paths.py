"""The PATHS of a command line."""

from __future__ import annotations

import os
from pathlib import Path

import click

from opcheck.config.error import ConfigError, suggestion
from opcheck_rules.base import nearest

from .completion import files


def existing(_context: click.Context, _parameter: click.Parameter, paths: tuple[str, ...]) -> tuple[Path, ...]:
    """The paths, absolute and without links; the working directory where none is given.

    Raises ConfigError at the first that does not exist or cannot be looked at.
    """
    return tuple(dict.fromkeys(_resolved(path) for path in paths or (".",)))


paths_argument = click.argument("paths", nargs=-1, metavar="[PATHS]...", callback=existing, shell_complete=files)


def _resolved(path: str) -> Path:
    try:
        Path(path).stat()
        return Path(os.path.realpath(path))
    except (FileNotFoundError, NotADirectoryError):
        raise ConfigError(f"no such path: `{path}`", help=suggestion(_nearest_path(Path(path)))) from None
    except OSError as error:
        raise ConfigError(f"cannot read `{path}`: {error.strerror}") from None


def _nearest_path(path: Path) -> str | None:
    """The existing path closest to one that does not: its first missing part, as some neighbour spells it."""
    while not path.parent.exists():
        path = path.parent
    try:
        near = nearest(path.name, [neighbour.name for neighbour in path.parent.iterdir()])
    except OSError:
        return None
    return str(path.parent / near) if near else None

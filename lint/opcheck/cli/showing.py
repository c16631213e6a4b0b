"""The options that show what a check would be about, in its place."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from opcheck.config import Settings
from opcheck.discovery import Files
from opcheck.discovery.names import in_order
from opcheck.report.places import shown

from .asked import Asked
from .console import HERE, show
from .selection import Selection
from .subjects import asked_projects, configured_targets


def showing_options(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command `--show-files` and `--show-settings`, with which it is not run."""

    @wraps(function)
    def showing(*, show_files: bool, show_settings: bool, **options: Any) -> None:
        if show_files or show_settings:
            _show(**options, with_files=show_files, with_settings=show_settings)
        else:
            function(**options)

    return _FILES(_SETTINGS(showing))


def _show(
    *, paths: tuple[Path, ...], asked: Asked, selection: Selection, with_files: bool, with_settings: bool, **_: object
) -> None:
    from opcheck.report.settings import settings_text  # noqa: PLC0415 - a run that checks shows none

    for settings, files in asked_projects(paths, asked.backend):
        if with_settings:
            show(settings_text(_in_force(settings, asked, selection), HERE))
        if with_files:
            show(_listed(files))


def _in_force(settings: Settings, asked: Asked, selection: Selection) -> Settings:
    """The settings with what the command line puts in their place."""
    select, ignore = selection.over(settings)
    return replace(settings, targets=configured_targets(settings, asked), select=select, ignore=ignore)


def _listed(files: Files) -> str:
    return "".join(f"{shown(name, HERE)}\n" for name in sorted((*files.python, *files.native), key=in_order))


_FILES = click.option("--show-files", is_flag=True, help="Print the files that would be read, and check nothing.")
_SETTINGS = click.option("--show-settings", is_flag=True, help="Print the settings that hold, and check nothing.")

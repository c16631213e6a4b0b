"""What a shell offers for a word that was begun."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from opcheck.config import ConfigError, load, nearest_configuration
from opcheck.config.targets import KNOWN_BACKENDS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def files(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Files and folders: the shell knows them best."""
    return [_of_kind("file", begun)]


def folders(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Folders."""
    return [_of_kind("dir", begun)]


def backends(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """The backends that some framework knows."""
    return [name for name in KNOWN_BACKENDS if name.startswith(begun)]


def targets(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """The targets that are configured around the working directory; none where that cannot be read."""
    with suppress(ConfigError, OSError):
        source = nearest_configuration(Path.cwd())
        found = load(source).targets if source else ()
        return [target.name for target in found if target.name.startswith(begun)]
    return []


def _of_kind(kind: str, begun: str) -> CompletionItem:
    # Only what completes words pays for this.
    from click.shell_completion import CompletionItem  # noqa: PLC0415

    return CompletionItem(begun, type=kind)

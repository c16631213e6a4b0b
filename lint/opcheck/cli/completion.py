"""What a shell offers for a word that was begun."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from opcheck.adapters.described.frameworks import known_backends
from opcheck.config import ConfigError, Settings, load, nearest_configuration, unconfigured

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def files(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Files and folders: the shell knows them best."""
    return [_of_kind("file", begun)]


def folders(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Folders."""
    return [_of_kind("dir", begun)]


def backends(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """The backends that some framework knows, those of described dispatchers among them."""
    settings = _settings()
    known = known_backends(settings.dispatchers if settings is not None else ())
    return [name for name in known if name.startswith(begun)]


def targets(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """The targets that are configured around the working directory; none where that cannot be read."""
    settings = _settings()
    return [t.name for t in settings.targets if t.name.startswith(begun)] if settings is not None else []


def _settings() -> Settings | None:
    """What is configured around the working directory; None where that cannot be read."""
    with suppress(ConfigError, OSError):
        source = nearest_configuration(Path.cwd())
        return load(source) if source else unconfigured(Path.cwd())
    return None


def _of_kind(kind: str, begun: str) -> CompletionItem:
    # Only what completes words pays for this.
    from click.shell_completion import CompletionItem  # noqa: PLC0415

    return CompletionItem(begun, type=kind)

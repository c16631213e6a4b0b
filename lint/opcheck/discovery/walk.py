"""Walking a tree for the files a project keeps in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from opcheck.config.error import ConfigError

from .files import is_source
from .gitignore import IGNORE_FILE, Ignores, is_ignored, within

_SKIPPED: Final = frozenset(
    {".git", ".hg", ".svn", ".venv", ".tox", ".nox", "__pycache__", "node_modules", "site-packages"}
)
"""Caches, version control, and installed packages."""
Enters: TypeAlias = Callable[[str, Collection[str]], bool]
"""Says whether a folder is walked: asked before it is listed, and again with the names that are in it."""
_ENVIRONMENT: Final = "pyvenv.cfg"
"""A folder that holds this is a virtual environment."""


def walk(start: str, ignores: Ignores, enters: Enters) -> Iterator[str]:
    """Every source file below `start`, but for what git ignores and the folders that `enters` refuses.

    Symbolic links are not followed: inside the tree their target is met where it is, outside it is another project's.
    Raises ConfigError at a folder that cannot be listed.
    """
    waiting = [(start, ignores)]
    while waiting:
        folder, around = waiting.pop()
        entries = _entries(folder)
        names = {entry.name for entry in entries}
        if folder != start and (_ENVIRONMENT in names or not enters(folder, names)):
            continue
        inside = within(Path(folder), around) if IGNORE_FILE in names else around
        for entry in entries:
            name = entry.path
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _SKIPPED and not is_ignored(name, inside, folder=True) and enters(name, ()):
                    waiting.append((name, inside))
                continue
            is_found = is_source(entry.name) and entry.is_file(follow_symlinks=False)
            if is_found and not is_ignored(name, inside, folder=False):
                yield name


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError as error:
        help = "exclude it in the configuration, or make it readable"
        raise ConfigError(f"cannot list `{folder}`: {error.strerror}", help=help) from None

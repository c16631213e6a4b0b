"""Walking a tree for the files a project keeps in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from opcheck.config.error import ConfigError

from .files import is_source
from .gitignore import Ignores, is_ignored, within

_SKIPPED: Final = frozenset(
    {".git", ".hg", ".svn", ".venv", ".tox", ".nox", "__pycache__", "node_modules", "site-packages"}
)


def walk(start: Path, ignores: Ignores, enters: Callable[[Path], bool]) -> Iterator[Path]:
    """Every source file below `start`, but for what git ignores and the folders that `enters` refuses.

    Symbolic links are not followed: inside the tree their target is met where it is, outside it is another project's.
    Raises ConfigError at a folder that cannot be listed.
    """
    waiting = [(start, ignores)]
    while waiting:
        folder, around = waiting.pop()
        inside = within(folder, around)
        for entry in _entries(folder):
            if entry.is_dir(follow_symlinks=False):
                path = Path(entry.path)
                if not _is_skipped(entry) and not is_ignored(path, inside, folder=True) and enters(path):
                    waiting.append((path, inside))
            elif is_source(entry.name) and entry.is_file(follow_symlinks=False):
                path = Path(entry.path)
                if not is_ignored(path, inside, folder=False):
                    yield path


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError as error:
        help = "exclude it in the configuration, or make it readable"
        raise ConfigError(f"cannot list `{folder}`: {error.strerror}", help=help) from None


def _is_skipped(entry: os.DirEntry[str]) -> bool:
    """Caches, version control, and installed packages: a folder with a `pyvenv.cfg` is a virtual environment."""
    return entry.name in _SKIPPED or os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))  # noqa: PTH110, PTH118

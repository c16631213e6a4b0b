"""Files that stand beside a project's code: they use its ops, and no one imports them to get any."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

_FOLDERS: Final = frozenset({"test", "tests", "doc", "docs", "benchmark", "benchmarks"})
_FILES: Final = frozenset({"conftest.py", "setup.py", "noxfile.py"})


def is_auxiliary(path: PurePath) -> bool:
    """Whether `path`, relative to the project, is a test, documentation, a benchmark or set-up, or a folder of such."""
    return is_auxiliary_name(path.as_posix())


def is_auxiliary_name(name: str) -> bool:
    """The same of a name with forward slashes."""
    parts = name.split("/")
    return not _FOLDERS.isdisjoint(parts) or is_auxiliary_file(parts[-1])


def is_auxiliary_file(name: str) -> bool:
    """Whether a file of this name is one wherever it lies."""
    is_test = name.startswith("test_") or name.endswith("_test.py")
    return (is_test and name.endswith(".py")) or name in _FILES

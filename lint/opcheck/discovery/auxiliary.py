"""Files that stand beside a project's code: they use its ops, and no one imports them to get any."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import Final

_FOLDERS: Final = frozenset({"test", "tests", "doc", "docs", "benchmark", "benchmarks"})
_FILES: Final = ("test_*.py", "*_test.py", "conftest.py", "setup.py", "noxfile.py")


def is_auxiliary(path: PurePath) -> bool:
    """Whether `path`, relative to the project, is a test, documentation, a benchmark or set-up, or a folder of such."""
    return not _FOLDERS.isdisjoint(path.parts) or any(fnmatchcase(path.name, pattern) for pattern in _FILES)

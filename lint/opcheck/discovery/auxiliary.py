"""Files that stand beside a project's code: they use its ops, and no one imports them to get any."""

from __future__ import annotations

import re
from fnmatch import translate
from pathlib import PurePath
from typing import Final

_FOLDERS: Final = frozenset({"test", "tests", "doc", "docs", "benchmark", "benchmarks"})
_FILES: Final = ("test_*.py", "*_test.py", "conftest.py", "setup.py", "noxfile.py")
_FILE: Final = re.compile("|".join(map(translate, _FILES)))


def is_auxiliary(path: PurePath) -> bool:
    """Whether `path`, relative to the project, is a test, documentation, a benchmark or set-up, or a folder of such."""
    return is_auxiliary_name(path.as_posix())


def is_auxiliary_name(name: str) -> bool:
    """The same of a name with forward slashes."""
    parts = name.split("/")
    return not _FOLDERS.isdisjoint(parts) or is_auxiliary_file(parts[-1])


def is_auxiliary_file(name: str) -> bool:
    """Whether a file of this name is one wherever it lies."""
    return _FILE.match(name) is not None

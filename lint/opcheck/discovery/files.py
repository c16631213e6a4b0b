"""What discovery finds."""

from __future__ import annotations

import os.path
from pathlib import Path
from typing import Final

from msgspec import Struct

PYTHON: Final = frozenset({".py"})
COMPILED: Final = frozenset({".so", ".pyd", ".dylib"})
NATIVE: Final = frozenset({".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh", ".h", ".hh", ".hip", ".hpp", ".mm"})
_SOURCE: Final = PYTHON | COMPILED | NATIVE


class Files(Struct, frozen=True):
    """The files of one project, each kind in sorted order.

    `paths` are the Python files to read. `compiled` are extension modules and `native_sources` C++ and CUDA sources,
    which may declare what no Python file does. `reported` are the files, sources included, whose findings were asked
    for. `nested` are the configurations of projects inside this one, whose files are theirs.
    """

    root: Path
    paths: tuple[Path, ...]
    reported: frozenset[Path]
    compiled: tuple[Path, ...] = ()
    native_sources: tuple[Path, ...] = ()
    nested: tuple[Path, ...] = ()

    @property
    def count(self) -> int:
        """How many are looked through."""
        return len(self.paths) + len(self.native_sources)


def is_source(name: str) -> bool:
    """Whether a file of this name can declare something, in any of the languages ops are written in."""
    return os.path.splitext(name)[1] in _SOURCE  # noqa: PTH122 - asked of every file there is

"""What discovery finds."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from .auxiliary import is_auxiliary_file, is_auxiliary_name
from .names import relative, upwards

PYTHON: Final = (".py",)
COMPILED: Final = (".so", ".pyd", ".dylib")
NATIVE: Final = (".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh", ".h", ".hh", ".hip", ".hpp", ".mm")
_SOURCE: Final = PYTHON + COMPILED + NATIVE
_Part: TypeAlias = Literal["code", "everything", "nothing"]


class Files(Struct, frozen=True, dict=True):
    """The files of one project by their absolute names, each kind in sorted order.

    `python` are the Python files to read. `extensions` are extension modules and `native` C++ and CUDA sources, which
    may declare what no Python file does. `requested` are the files and folders whose findings were asked for. `nested`
    are the configurations of projects inside this one, whose files are theirs.

    Those who read the files get them as paths. To make these takes longer than to find the files, and one who finds
    that nothing has changed needs none.
    """

    root: Path
    python: tuple[str, ...]
    requested: frozenset[str]
    extensions: tuple[str, ...] = ()
    native: tuple[str, ...] = ()
    nested: tuple[Path, ...] = ()

    @property
    def count(self) -> int:
        """How many are looked through."""
        return len(self.python) + len(self.native)

    def holds(self, name: str) -> bool:
        """Whether a file is one of the sources."""
        return name in self._sources

    def asks_for(self, name: str) -> bool:
        """Whether findings in one of the files were asked for: in an auxiliary one as such, or in a folder of such."""
        if not self.holds(name):
            return False
        folder, file = os.path.split(name)
        if folder not in self._parts:
            self._parts[folder] = self._part_of(folder)
        part = self._parts[folder]
        is_code = part == "code" and not is_auxiliary_file(file)
        return is_code or part == "everything" or name in self.requested

    def _part_of(self, folder: str) -> _Part:
        """What was asked for of a folder, beside files that were named."""
        around, outside = self.requested.intersection(upwards(folder)), str(self.root.parent)
        if any(is_auxiliary_name(relative(outer, outside)) for outer in around):
            return "everything"
        is_code = bool(around) and not is_auxiliary_name(relative(folder, str(self.root)))
        return "code" if is_code else "nothing"

    @cached_property
    def _parts(self) -> dict[str, _Part]:
        return {}

    @cached_property
    def _sources(self) -> frozenset[str]:
        return frozenset((*self.python, *self.native))

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """The Python files."""
        return tuple(map(Path, self.python))

    @cached_property
    def reported(self) -> frozenset[Path]:
        """The files that were asked for."""
        return frozenset(map(Path, filter(self.asks_for, (*self.python, *self.native))))

    @cached_property
    def compiled(self) -> tuple[Path, ...]:
        """The extension modules."""
        return tuple(map(Path, self.extensions))

    @cached_property
    def native_sources(self) -> tuple[Path, ...]:
        """The C++ and CUDA sources."""
        return tuple(map(Path, self.native))


def files_at(
    root: Path,
    paths: Iterable[Path],
    reported: Iterable[Path],
    compiled: Iterable[Path] = (),
    native_sources: Iterable[Path] = (),
) -> Files:
    """The files of a project, given as paths."""
    python, extensions, native = (tuple(map(str, kind)) for kind in (paths, compiled, native_sources))
    return Files(root, python, frozenset(map(str, reported)), extensions, native)


def is_source(name: str) -> bool:
    """Whether a file of this name can declare something, in any of the languages ops are written in."""
    return name[1:].endswith(_SOURCE)

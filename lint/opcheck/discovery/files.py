"""What discovery finds."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Final

from msgspec import Struct

PYTHON: Final = (".py",)
COMPILED: Final = (".so", ".pyd", ".dylib")
NATIVE: Final = (".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh", ".h", ".hh", ".hip", ".hpp", ".mm")
_SOURCE: Final = PYTHON + COMPILED + NATIVE


class Files(Struct, frozen=True, dict=True):
    """The files of one project by their absolute names, each kind in sorted order.

    `python` are the Python files to read. `extensions` are extension modules and `native` C++ and CUDA sources, which
    may declare what no Python file does. `asked` are the files, sources included, whose findings were asked for.
    `nested` are the configurations of projects inside this one, whose files are theirs.

    Those who read the files get them as paths. To make these takes longer than to find the files, and one who finds
    that nothing has changed needs none.
    """

    root: Path
    python: tuple[str, ...]
    asked: frozenset[str]
    extensions: tuple[str, ...] = ()
    native: tuple[str, ...] = ()
    nested: tuple[Path, ...] = ()

    @property
    def count(self) -> int:
        """How many are looked through."""
        return len(self.python) + len(self.native)

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """The Python files."""
        return tuple(map(Path, self.python))

    @cached_property
    def reported(self) -> frozenset[Path]:
        """The files that were asked for."""
        return frozenset(map(Path, self.asked))

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

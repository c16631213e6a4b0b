"""What discovery finds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Files:
    """The files of one project, each kind in sorted order.

    `paths` are the Python files to read and `reported` those of them whose findings were asked for. `compiled` are
    extension modules and `native_sources` C++ and CUDA sources, which may declare what no Python file does. `nested`
    are the configurations of projects inside this one, whose files are theirs.
    """

    root: Path
    paths: tuple[Path, ...]
    reported: frozenset[Path]
    compiled: tuple[Path, ...] = ()
    native_sources: tuple[Path, ...] = ()
    nested: tuple[Path, ...] = ()

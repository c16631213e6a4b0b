"""What git leaves out of a tree, read from its ignore files: git itself need not be there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from opcheck.config.error import ConfigError

from .names import relative

IGNORE_FILE: Final = ".gitignore"
_EVERYTHING_INSIDE: Final = re.compile(r"/\*\*(/?)$")

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

Ignores: TypeAlias = "tuple[tuple[str, GitIgnoreSpec], ...]"
"""Patterns with the folder each set is relative to, outermost first: the innermost that says anything decides."""


def above(folder: Path) -> Ignores:
    """The patterns that reach `folder` from the repository around it: none outside of one.

    Raises ConfigError at an ignore file that cannot be read.
    """
    chain = list(_up_to_repository(folder))
    if not (chain[-1] / ".git").exists():
        return ()
    excluded = _patterns(chain[-1], chain[-1] / ".git" / "info" / "exclude")
    return (*excluded, *(found for outer in chain[:0:-1] for found in _patterns(outer, outer / IGNORE_FILE)))


def within(folder: Path, ignores: Ignores) -> Ignores:
    """`ignores`, with the patterns that `folder` adds."""
    return (*ignores, *_patterns(folder, folder / IGNORE_FILE))


def is_ignored(name: str, ignores: Ignores, *, folder: bool) -> bool:
    """Whether git leaves out what has this name, given that it does not leave out the folder around it."""
    for base, patterns in reversed(ignores):
        verdict = patterns.check_file(relative(name, base) + "/" * folder).include
        if verdict is not None:
            return verdict
    return False


def compiled(lines: Iterable[str]) -> GitIgnoreSpec:
    """Compile patterns the way git reads them: a line that is none is no pattern."""
    # Imported only where there are patterns: it takes longer than walking a small project.
    from pathspec import GitIgnoreSpec  # noqa: PLC0415

    return GitIgnoreSpec.from_lines(_only_inside(line) for line in lines if _is_pattern(GitIgnoreSpec, line))


def _only_inside(line: str) -> str:
    """Spell `folder/**` so that it leaves the folder itself alone: what it ignores there may be taken back."""
    return _EVERYTHING_INSIDE.sub(r"/**/*\1", line)


def _is_pattern(spec: type[GitIgnoreSpec], line: str) -> bool:
    try:
        spec.from_lines([line])
    except ValueError:
        return False
    return True


def _up_to_repository(folder: Path) -> Iterator[Path]:
    for outer in (folder, *folder.parents):
        yield outer
        if (outer / ".git").exists():
            return


def _patterns(base: Path, file: Path) -> Ignores:
    try:
        if not file.is_file():
            return ()
        lines = file.read_text("utf-8", errors="surrogateescape").splitlines()
    except OSError as error:
        raise ConfigError(f"cannot read `{file}`: {error.strerror}") from None
    return ((str(base), compiled(lines)),)

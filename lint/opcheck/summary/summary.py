"""What matters in one file before anything is evaluated."""

from __future__ import annotations

from dataclasses import dataclass

from .imports import Import, imports_of
from .source import Source


@dataclass(frozen=True, slots=True)
class Summary:
    """A parsed file and every import statement in it, those in dead branches and function bodies included."""

    source: Source
    imports: tuple[Import, ...]


def summarise(source: Source) -> Summary:
    """Find what a file imports."""
    return Summary(source, imports_of(source))

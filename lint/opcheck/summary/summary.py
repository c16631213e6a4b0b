"""What matters in one file before anything is evaluated."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from .nodes import statements
from .source import Source


@dataclass(frozen=True, slots=True)
class Summary:
    """A parsed file and every import statement in it, those in dead branches and function bodies included."""

    source: Source
    imports: tuple[ast.Import | ast.ImportFrom, ...]


def summarise(source: Source) -> Summary:
    """Find what a file imports."""
    found = [node for node in statements(source.tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return Summary(source, tuple(found))

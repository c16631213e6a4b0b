"""Parsing text as the interpreter does, without what it warns of on the way."""

from __future__ import annotations

import ast
import warnings
from typing import Final

BROKEN: Final = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What parsing text may raise that is no Python, or nested too deeply to be read."""


def parsed(text: str) -> ast.Module:
    """The syntax tree of a text. Raises what `BROKEN` lists."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)

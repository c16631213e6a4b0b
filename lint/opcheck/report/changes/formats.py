"""The forms that changes are written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from opcheck.since.comparison import Comparison

from .json import changes_document
from .markdown import changes_markdown
from .text import changes_text

FORMATS: Final[Mapping[str, Callable[[Comparison], str]]] = {
    "text": changes_text,
    "json": changes_document,
    "markdown": changes_markdown,
}
"""By name; each says all of it, without a line feed at its end."""

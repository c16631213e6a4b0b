"""Texts inside Markdown: nothing in them is markup, a mention or a link."""

from __future__ import annotations

import re
from typing import Final

from .source import printable

_ESCAPES: Final = str.maketrans({character: f"&#{ord(character)};" for character in "&<>|*_~[]\\@#`"})
_CODE: Final = re.compile("`([^`]+)`")
_ENDS_A_SPAN: Final = frozenset("|\\`")


def marked_up(text: str) -> str:
    """`text` with what it holds between backticks as code."""
    parts = _CODE.split(printable(text))
    return "".join(code(part) if place % 2 else part.translate(_ESCAPES) for place, part in enumerate(parts))


def code(text: str) -> str:
    """A code span that stands in a table: in HTML where something in it would end the span or the cell."""
    shown = printable(text)
    return f"<code>{shown.translate(_ESCAPES)}</code>" if _ENDS_A_SPAN.intersection(shown) else f"`{shown}`"

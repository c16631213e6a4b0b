"""A change to a file as a unified diff, as `git apply` and `patch -p1` take it."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from .document import document_of
from .rounds import Change

_MISSING_END = "\n\\ No newline at end of file\n"


def diff(change: Change, name: str) -> str:
    """The lines that change and some around them, of a file that goes by `name`."""
    before, after = (_lines(change.path, data) for data in (change.before, change.after))
    lines = difflib.unified_diff(before, after, f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else line + _MISSING_END for line in lines)


def _lines(path: Path, data: bytes) -> list[str]:
    """The lines with their ends, parted where git parts them."""
    document = document_of(path, data)
    return re.findall(r"[^\n]*\n|[^\n]+", document.text) if document else []

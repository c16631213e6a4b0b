"""What is to come out, kept in files: `UPDATE_GOLDENS=1` writes what comes out now."""

from __future__ import annotations

import os
from pathlib import Path


def golden(path: Path, found: str) -> str:
    """The text that is kept at a path, in place of which `found` is kept where that is asked for."""
    if "UPDATE_GOLDENS" in os.environ:
        path.write_text(found, encoding="utf-8")
    return path.read_text(encoding="utf-8")

"""Paths as reports show them."""

from __future__ import annotations

import os
from pathlib import PurePath


def shown(path: str, base: PurePath) -> str:
    """`path` relative to the folder `base`, with forward slashes on every system."""
    try:
        return PurePath(os.path.relpath(path, base)).as_posix()
    except ValueError:  # another drive
        return PurePath(path).as_posix()

"""Names of files and folders, absolute and compared as text: a path of each takes longer to make than to find it."""

from __future__ import annotations

import os
from collections.abc import Iterator


def is_below(name: str, folder: str) -> bool:
    """Whether a file or folder lies in a folder, or is that."""
    return name == folder or name.startswith(os.path.join(folder, ""))


def relative(name: str, folder: str) -> str:
    """What lies in a folder as seen from it, with forward slashes on every system; nothing for the folder itself."""
    return name[len(os.path.join(folder, "")) :].replace(os.sep, "/")


def upwards(folder: str) -> Iterator[str]:
    """A folder and those around it, from the inside out."""
    yield folder
    drive, inside = os.path.splitdrive(folder)
    at = len(folder)
    while (at := folder.rfind(os.sep, len(drive) + 1, at)) >= 0:
        yield folder[:at]
    if inside != os.sep:
        yield drive + os.sep


def in_order(name: str) -> str:
    """A key to sort by that keeps a folder together: no name holds the character that its separators become."""
    return name.replace(os.sep, "\0")

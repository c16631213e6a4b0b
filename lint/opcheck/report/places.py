"""Paths as reports show them."""

from __future__ import annotations

import os
from pathlib import PurePath

from opcheck_rules.model.project import Outcome


def shown(path: str, base: PurePath) -> str:
    """`path` relative to the folder `base`, with forward slashes on every system."""
    try:
        return PurePath(os.path.relpath(path, base)).as_posix()
    except ValueError:  # another drive
        return PurePath(path).as_posix()


def reason(outcome: Outcome, base: PurePath) -> str:
    """The reason for an outcome, which names the file of its span by the absolute path that spans have."""
    path = outcome.span.path if outcome.span else ""
    return outcome.reason.replace(path, shown(path, base)) if path else outcome.reason

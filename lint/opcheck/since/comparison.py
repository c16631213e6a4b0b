"""What `--since` finds, as every format is given it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from .changes import Change, Direction
from .git import Revision


class Comparison(Struct, frozen=True):
    """The changes since a revision, under the targets of today."""

    revision: Revision
    targets: Sequence[str]
    changes: Sequence[Change]

    def count(self, direction: Direction) -> int:
        """How many cells went that way."""
        return sum(change.direction is direction for change in self.changes)

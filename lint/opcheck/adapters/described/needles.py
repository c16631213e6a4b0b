"""What tells a file that descriptions may be about, before anything is parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from .description import Attribute, Calls, Classes, Description, Items, Keywords


class Needles(Struct, frozen=True):
    """The names that a file has to spell, if only where it imports them under others."""

    names: frozenset[str]

    def declares(self, data: bytes) -> bool:
        """Whether a file spells one of them."""
        return any(name.encode() in data for name in self.names)

    def spots(self, text: str) -> Iterator[int]:
        """Where a text does."""
        pattern = "|".join(map(re.escape, sorted(self.names)))
        return (match.start() for match in re.finditer(rf"\b(?:{pattern})\b", text)) if pattern else iter(())


def needles(descriptions: Iterable[Description]) -> Needles:
    """The last names of all paths that descriptions give."""
    return Needles(
        frozenset(path.rpartition(".")[2] for description in descriptions for path in declaring_paths(description))
    )


def declaring_paths(description: Description) -> Iterator[str]:
    """The paths that a description gives of what declares."""
    match description.shape:
        case Calls(callables=paths) | Keywords(callables=paths) | Attribute(base=paths) | Classes(base=paths):
            yield from paths
        case Items(table=path):
            yield path
        case _:
            pass

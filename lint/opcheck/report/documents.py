"""JSON that any parser takes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "str | int | float | Sequence[Json] | Mapping[str, Json] | None"


def dumped(document: Json, indent: int | None = 2) -> str:
    """A document as text. What no encoding holds (half a pair, a byte of a file's name) is written out as an escape."""
    return json.dumps(_well_formed(document), indent=indent)


def _well_formed(value: Json) -> Json:
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, Mapping):
        return {name: _well_formed(item) for name, item in value.items()}
    return [_well_formed(item) for item in value] if isinstance(value, Sequence) else value

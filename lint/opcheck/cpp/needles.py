"""What tells a C++ source that registers ops, before anything is parsed."""

from __future__ import annotations

from typing import Final

NEEDLES: Final = (b"TORCH_LIBRARY", b"RegisterOperators", b"torch::Library", b"StableLibrary", b"m.def(", b"m.impl(")
"""A source without any of these registers no op, and defines no macro or function that does."""


def has_needle(data: bytes) -> bool:
    """Whether a source is worth reading."""
    return any(needle in data for needle in NEEDLES)

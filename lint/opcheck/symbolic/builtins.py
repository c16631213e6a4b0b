"""What opcheck knows of builtins and of the standard library."""

from __future__ import annotations

from collections.abc import Mapping

from .library import conversions, decorators, environment, objects, sequences, versions
from .library.environment import environment_item
from .values import Intrinsic

__all__ = ["environment_item", "standard_library"]


def standard_library() -> Mapping[str, Intrinsic]:
    """Every callable of Python's own library that is given a meaning, by dotted path."""
    subjects = (sequences, conversions, objects, decorators, environment, versions)
    meanings = {path: meaning for subject in subjects for path, meaning in subject.MEANINGS.items()}
    return {path: Intrinsic(path.removeprefix("builtins."), meaning) for path, meaning in meanings.items()}

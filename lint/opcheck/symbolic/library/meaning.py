"""What a callable of the library is given a meaning with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ..describe import bounded, describe_call
from ..frame import Frame
from ..values import Arguments, Unknown, Value

Meaning: TypeAlias = Callable[[Frame, Arguments], Value]


def undecided(frame: Frame, name: str, arguments: Arguments) -> Unknown:
    """The call as an unknown value."""
    text = describe_call(name, arguments.positional, arguments.keywords)
    return Unknown(bounded(frame, text, arguments.node))

"""Parts of declarations that could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from .condition import Condition
from .finding import Span


class Part(StrEnum):
    """What could not be read: the op that something is registered for, or something that its declaration says."""

    DEFINITION = "definition"
    KERNEL = "kernel"
    FAKE = "fake"
    DERIVATIVE = "derivative"
    VMAP = "vmap"
    BACKENDS = "backends"
    LISTED = "listed"
    BACKEND = "backend"
    FEATURE = "feature"
    AUTODIFF = "autodiff"


class Unresolved(Struct, frozen=True):
    """A statement under `condition` that leaves a part open, of `op` where that is not the part itself.

    `expression` is what the part comes from, None where that can't be written. `assumed` is where a target says what it
    is, None where no target can, and `names` is how it would name each backend there.
    """

    framework: str
    op: str | None
    part: Part
    expression: str | None
    condition: Condition
    span: Span
    assumed: Condition | None = None
    names: Mapping[str, str] = field(default_factory=dict[str, str])

"""The machines a project must work on."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

from msgspec import Struct, field

from .finding import Span

Scalar = str | int | float | bool


class Target(Struct, frozen=True):
    """One configured runtime: the backends and contexts ops must serve, and the facts that hold there.

    `assume` maps resolved expressions to values and wins over every derived fact. `origin` maps `backends.cuda`,
    `autodiff` and the like to where the configuration says so; an ad hoc or inferred target has none. `inferred` marks
    a target opcheck made up because none was configured.
    """

    name: str
    backends: tuple[str, ...]
    autodiff: bool = False
    compile: bool = False
    vmap: bool = False
    features: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    assume: Mapping[str, Scalar] = field(default_factory=dict[str, Scalar])
    platform: str | None = None
    python: str | None = None
    torch: str | None = None
    ops: tuple[str, ...] = ()
    inferred: bool = False
    all_features: bool = False
    origin: Mapping[str, Span] = field(default_factory=dict[str, Span])

    @property
    def contexts(self) -> tuple[str, ...]:
        """What is asked of each op: always `forward`, and the rest as configured."""
        asked = (("autodiff", self.autodiff), ("compile", self.compile), ("vmap", self.vmap))
        return ("forward", *(name for name, wanted in asked if wanted))

    def wants(self, op: str) -> bool:
        """Whether the target looks at `op`, by its `ops` patterns."""
        return not self.ops or any(fnmatchcase(op, pattern) for pattern in self.ops)

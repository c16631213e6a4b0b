"""What an op's declaration says, as data that both the dispatcher and the linter can hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

BACKENDS: Final = ("numpy", "cupy")
"""The backends an op can be declared for; each is the name of the package whose arrays carry the data."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether one arm of a declaration was there when the decorator ran.

    `feature` is the feature that gates it, or None for an arm that is always there. A gate never opens later: features
    are read once, at declaration, as those of a compiled program are when it is built.
    """

    feature: str | None = None
    open: bool = True


@dataclass(frozen=True, slots=True)
class Declaration:
    """One op as declared: the arms of its backend list, what fills them, and its derivative.

    `name` is the function's own name, which messages use. `arms` maps each listed backend to its gate, `kernels` names
    the backends that have a kernel of their own, and `has_body` says that the declaring function's body serves every
    listed backend without one. `autodiff` is None for an op declared without a derivative, `has_vjp` says that the
    derivative's rule was registered, and `unsupported` maps a backend left out on purpose to the reason given.
    """

    name: str
    arms: Mapping[str, Gate]
    kernels: Collection[str] = ()
    has_body: bool = False
    autodiff: Gate | None = None
    has_vjp: bool = False
    unsupported: Mapping[str, str] = field(default_factory=dict[str, str])

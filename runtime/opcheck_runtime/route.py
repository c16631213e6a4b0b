"""Which kernel a call reaches, or why none: the one function that the dispatcher and the linter share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal

from .spec import Declaration, Gate


class Reason(Enum):
    """Why a call has no kernel (the first four) or no derivative (the last three)."""

    NOT_LISTED = "not listed"
    UNSUPPORTED = "unsupported"
    FEATURE_OFF = "feature off"
    NO_KERNEL = "no kernel"
    AUTODIFF_NOT_LISTED = "autodiff not listed"
    AUTODIFF_FEATURE_OFF = "autodiff feature off"
    NO_VJP = "no vjp"


_AUTODIFF_REASONS: Final = frozenset({Reason.AUTODIFF_NOT_LISTED, Reason.AUTODIFF_FEATURE_OFF, Reason.NO_VJP})


@dataclass(frozen=True, slots=True)
class Kernel:
    """The kernel a call reaches: the backend's own one, or the body of the declaring function."""

    backend: str
    source: Literal["kernel", "body"]


@dataclass(frozen=True, slots=True)
class Hole:
    """Why a call reaches nothing; `feature` names the gate, where one is shut."""

    reason: Reason
    feature: str | None = None

    @property
    def is_autodiff(self) -> bool:
        """True when a kernel is there and only the derivative is missing."""
        return self.reason in _AUTODIFF_REASONS


def route(declaration: Declaration, backend: str, *, tracked: bool) -> Kernel | Hole:
    """Answer what a call of `declaration` reaches with inputs on `backend`.

    The backend is decided first and the derivative second, so that a tracked call on a backend the op lacks is told
    about the backend.
    """
    kernel = route_forward(declaration, backend)
    if isinstance(kernel, Hole) or not tracked:
        return kernel
    return derivative_hole(declaration) or kernel


def route_forward(declaration: Declaration, backend: str) -> Kernel | Hole:
    """Answer what an untracked call reaches on `backend`."""
    gate = declaration.arms.get(backend)
    if gate is None:
        left_out = backend in declaration.unsupported
        return Hole(Reason.UNSUPPORTED if left_out else Reason.NOT_LISTED)
    if not gate.open:
        return Hole(Reason.FEATURE_OFF, gate.feature)
    if backend in declaration.kernels:
        return Kernel(backend, "kernel")
    return Kernel(backend, "body") if declaration.has_body else Hole(Reason.NO_KERNEL)


def derivative_hole(declaration: Declaration) -> Hole | None:
    """Say why a tracked call has no derivative, or None where it has one."""
    gate: Gate | None = declaration.autodiff
    if gate is None:
        return Hole(Reason.AUTODIFF_NOT_LISTED)
    if not gate.open:
        return Hole(Reason.AUTODIFF_FEATURE_OFF, gate.feature)
    return None if declaration.has_vjp else Hole(Reason.NO_VJP)

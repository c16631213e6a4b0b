"""What the runtime raises: one class a cause, each with its facts as attributes, each picklable."""

from __future__ import annotations

from typing import Any

from .route import Reason


class OpError(Exception):
    """The base of every error raised here; `op` is the function's own name, where one is involved.

    The facts are keyword arguments and live in the instance's dictionary, which is what makes every subclass
    picklable: the default protocol calls the class with the message alone and then restores the dictionary.
    """

    op: str | None = None

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.__dict__.update(facts)


class DeclarationError(OpError, ValueError):
    """A declaration, kernel, rule or target that cannot be meant; `file` and the 1-based `line` say where it stands."""

    file: str
    line: int


class BackendNotSupportedError(OpError, NotImplementedError):
    """The backend that the call's arrays are on has no kernel.

    `backend` is the one that came and `parameter` the input that brought it (None for an op without array inputs),
    `declared` lists the backends in the order declared; `reason` says why the arm is missing, `feature` the shut gate.
    """

    backend: str
    parameter: str | None
    declared: tuple[str, ...]
    reason: Reason
    feature: str | None


class AutodiffNotSupportedError(OpError, NotImplementedError):
    """A tracked call of an op that has a kernel for it but no derivative.

    `backend` and `parameter` say what came tracked, `declared` lists the backends in the order declared; `reason` says
    why there is no derivative, `feature` the shut gate.
    """

    backend: str
    parameter: str
    declared: tuple[str, ...]
    reason: Reason
    feature: str | None


class MixedBackendsError(OpError, TypeError):
    """An array input is not on the backend that the routing input decided.

    `backend` was brought by `routing_parameter`; `parameter` holds `found`, another backend or a type's name.
    """

    backend: str
    routing_parameter: str
    parameter: str
    found: str


class NoRoutingInputError(OpError, TypeError):
    """No array input of the call holds an array; `found` maps each to the name of the type that came instead."""

    found: dict[str, str]


class NoDeviceError(OpError, RuntimeError):
    """A kernel reached CuPy on a machine without a usable GPU; the cause is CuPy's own error."""


class TrackedError(OpError, TypeError):
    """A tracked value stands where none can: an int input, an operator without a derivative, a NumPy function."""


class GradientError(OpError, ValueError):
    """A derivative rule gave what cannot be the gradient, or one that `gradcheck` found wrong."""

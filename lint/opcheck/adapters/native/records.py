"""What each native statement puts on record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ...symbolic.values import FunctionValue, Value


@dataclass(frozen=True, slots=True)
class Arm:
    """One entry of a backend list, there under `condition`; `backend` is None where it could not be read.

    `text` is then how it is written, and `feature_text` how a feature is that could not be read.
    """

    backend: str | None
    feature: str | None
    condition: Condition
    span: Span
    text: str = ""
    feature_text: str = ""


@dataclass(frozen=True, slots=True)
class Derivative:
    """One thing `autodiff=` can be, under `condition`: declared, behind a feature, or (`known` False) not read.

    `text` is how that is written which was not.
    """

    condition: Condition
    feature: str | None = None
    known: bool = True
    text: str = ""


@dataclass(frozen=True, slots=True)
class Declared:
    """An op: `arms` are its backends (`complete` unless some could not be read), `derivatives` what `autodiff` says.

    `listing` is where the backends are written and `autodiff` where the derivative is declared, or else the listing.
    `unsupported` are the backends left out on purpose, and where.
    """

    op: str
    function: FunctionValue
    arms: tuple[Arm, ...]
    complete: bool
    listing: Span
    derivatives: tuple[Derivative, ...]
    autodiff: Span
    unsupported: Mapping[str, Span]
    has_arrays: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class KernelAdded:
    """A kernel for one backend of an op; the backend is None where it could not be read, `text` how it is written."""

    op: str
    backend: str | None
    function: Value
    backend_span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class RuleAdded:
    """A derivative rule for an op."""

    op: str
    function: Value


@dataclass(frozen=True, slots=True)
class FeaturesEnabled:
    """Features enabled for what is declared from here on."""

    names: tuple[str, ...]

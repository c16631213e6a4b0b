"""What each native statement puts on record."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ...symbolic.values import FunctionValue, Value


class Arm(Struct, frozen=True):
    """One entry of a backend list, there under `condition`; `backend` is None where it could not be read.

    `text` is then how it is written, and `feature_text` how a feature is that could not be read.
    """

    backend: str | None
    feature: str | None
    condition: Condition
    span: Span
    text: str = ""
    feature_text: str = ""


class Derivative(Struct, frozen=True):
    """One thing `autodiff=` can be, under `condition`: declared, behind a feature, or (`known` False) not read.

    `text` is how that is written which was not.
    """

    condition: Condition
    feature: str | None = None
    known: bool = True
    text: str = ""


class Declared(Struct, frozen=True):
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


class KernelAdded(Struct, frozen=True):
    """A kernel for one backend of an op; the backend is None where it could not be read, `text` how it is written."""

    op: str
    backend: str | None
    function: Value
    backend_span: Span
    text: str = ""


class RuleAdded(Struct, frozen=True):
    """A derivative rule for an op."""

    op: str
    function: Value


class FeaturesEnabled(Struct, frozen=True):
    """Features enabled for what is declared from here on."""

    names: tuple[str, ...]

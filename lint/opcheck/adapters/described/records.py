"""What a described dispatcher puts on record."""

from __future__ import annotations

from msgspec import Struct

from opcheck_rules.model.finding import Span

from ...symbolic.modules import Module
from ...symbolic.values import ClassValue, Value
from .description import Description


class Name(Struct, frozen=True):
    """A name as the table writes it and as messages do; `full` is None where only the `text` it comes from is known."""

    full: str | None
    own: str = ""
    text: str = ""


class Supplied(Struct, frozen=True):
    """Something given for an op on a backend, None for every backend. `place` is where the op is named.

    `alone` marks what no later one replaces: each table of keywords stands by itself.
    """

    description: Description
    op: Name
    backend: Name | None
    value: Value
    place: Span
    alone: bool = False


class Derived(Struct, frozen=True):
    """A class that derives from the base of a description."""

    description: Description
    cls: ClassValue


class Offering(Struct, frozen=True):
    """The modules that stand for one backend together."""

    description: Description
    backend: str
    modules: tuple[Module, ...]

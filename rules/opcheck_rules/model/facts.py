"""Facts of a known kind, and answers that take some of them for granted."""

from __future__ import annotations

from collections.abc import Callable

from .atom import Atom
from .condition import Decide


def is_call(atom: Atom) -> bool:
    """Whether a fact is that some function was called."""
    return atom.subject.startswith("called:")


def granting(holds: Callable[[Atom], bool], otherwise: Decide = lambda _: None) -> Decide:
    """Answers by which some facts hold; the others are decided as they are `otherwise`."""
    return lambda atom: True if holds(atom) else otherwise(atom)

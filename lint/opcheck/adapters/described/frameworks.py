"""The dispatchers that a configuration describes, as frameworks beside those that opcheck knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from opcheck_rules.model.project import Framework

from .. import FRAMEWORKS

if TYPE_CHECKING:
    from .description import Description


def own_frameworks(descriptions: Iterable[Description]) -> Mapping[str, Framework]:
    """The described frameworks by name. The tables of one name describe one dispatcher together."""
    backends: dict[str, tuple[str, ...]] = {}
    for description in descriptions:
        backends[description.name] = (*backends.get(description.name, ()), *description.backends)
    return {name: Framework(name, tuple(dict.fromkeys(known))) for name, known in backends.items()}


def frameworks(descriptions: Iterable[Description]) -> Mapping[str, Framework]:
    """Every framework by name: those that opcheck knows by heart, and those described."""
    return {**FRAMEWORKS, **own_frameworks(descriptions)}


def known_backends(descriptions: Iterable[Description]) -> tuple[str, ...]:
    """The backends that a target may name."""
    return tuple(dict.fromkeys(b for framework in frameworks(descriptions).values() for b in framework.backends))

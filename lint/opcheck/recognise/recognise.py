"""Every shape, looked for in a project."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from .attributes import listing_attribute
from .classes import class_per_backend
from .keywords import keyword_table
from .modules import module_per_backend
from .proposal import Proposal
from .registrations import registering_decorator
from .survey import Survey, survey

_SHAPES: Final[tuple[Callable[[Survey], Iterator[Proposal]], ...]] = (
    class_per_backend,
    module_per_backend,
    keyword_table,
    registering_decorator,
    listing_attribute,
)


def recognised(root: Path, modules: Mapping[str, str]) -> list[Proposal]:
    """The descriptions that seem to fit a project, whose files are `modules` by the names they are imported under."""
    found = survey(root, modules)
    return [proposal for shape in _SHAPES for proposal in shape(found)]

"""How a reading is written as JSON: only the classes that a reading is made of are ever made again.

Equal parts are written once, and conditions as the diagrams that they are, so that what is read back is shared as it
was.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from msgspec import Raw, Struct

from opcheck.reading import Environment, IgnoreComment, Reading, Slot
from opcheck_rules.model import finding, project, suppression, target, unresolved
from opcheck_rules.model.atom import Atom

Json = Any

_MODELS: Final = (project, finding, suppression, target, unresolved)
_BESIDE: Final = (Atom, Environment, IgnoreComment, Reading)
CLASSES: Final[Mapping[str, type[Any]]] = {
    cls.__name__: cls
    for cls in (*_BESIDE, *(found for model in _MODELS for found in vars(model).values()))
    if isinstance(cls, type) and issubclass(cls, (Struct, Enum)) and cls is not Struct
}

CONDITION, SPAN, ERROR, NAMES, MEMBER, OBJECT, HERE = range(7)
"""Where a part is written: in which of the lists of a document, or, as the last of these, in the place where it is."""


class Written(Struct, frozen=True):
    """A reading as lists, texts and numbers.

    An object is the name of its class, its parts that are written elsewhere (of each its place among the fields, where
    that is, and which it is there), and its fields, up to the last that is not as by default. It is parsed when it is
    asked for: a target asks for few.
    """

    atoms: list[Json]
    nodes: list[tuple[int, int, int]]
    spans: list[finding.Span]
    errors: list[finding.PredictedError]
    names: list[frozenset[str]]
    members: list[tuple[str, str]]
    objects: list[Raw]
    root: Json
    modules: dict[str, str]
    statements: dict[str, tuple[int, ...]]
    slots: list[tuple[finding.Span, Slot]]

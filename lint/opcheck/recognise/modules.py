"""A module for each backend: modules side by side, named after backends, that define the same functions."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from ..adapters.described.description import PLACE
from .proposal import KNOWN, Proposal, Value
from .survey import Survey

_LEAST_SHARED: Final = 3


def module_per_backend(found: Survey) -> Iterator[Proposal]:
    """A proposal for each package with at least two such modules, which share at least three functions."""
    offered: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, tree in found.trees.items():
        for pattern, backend in _places(name):
            functions = {n.name for n in tree.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")}
            offered[pattern][backend] |= functions
    for root, backends in offered.items():
        most, *others = sorted(backends.values(), key=len, reverse=True)
        alike = most & set[str]().union(*others)
        if len(alike) >= _LEAST_SHARED:
            keys: dict[str, Value] = {"shape": "modules", "root": root, "backends": sorted(backends)}
            yield Proposal(keys, f"the modules at `{root}` define {len(alike)} functions of the same names")


def _places(module: str) -> Iterator[tuple[str, str]]:
    """The patterns under which a module, or one of a package, is a backend's: a word of its name is the backend's."""
    parts = module.split(".")
    for place in range(max(1, len(parts) - 2), len(parts)):
        words = parts[place].split("_")
        known = [word for word in words if word in KNOWN]
        if len(known) == 1:
            pattern = "_".join(PLACE if word == known[0] else word for word in words)
            yield ".".join([*parts[:place], pattern]), known[0]

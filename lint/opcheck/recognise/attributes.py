"""A class attribute that lists devices, on classes of one base."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from .proposal import KNOWN, LEAST, Proposal, Value
from .survey import Defined, Survey


def listing_attribute(found: Survey) -> Iterator[Proposal]:
    """A proposal for each base of at least two classes that list devices under the same name."""
    listed: dict[tuple[str, str], list[str]] = defaultdict(list)
    classes: dict[tuple[str, str], int] = defaultdict(int)
    for cls in found.classes():
        for attribute, devices in _listings(cls):
            for base in cls.bases:
                listed[base, attribute] += devices
                classes[base, attribute] += 1
    for (base, attribute), devices in listed.items():
        path = found.defined_as(base)
        if path is not None and classes[base, attribute] >= LEAST:
            keys: dict[str, Value] = {"shape": "attribute", "base": path, "attribute": attribute, "op": "class"}
            keys["backends"] = list(dict.fromkeys(devices))
            yield Proposal(keys, f"{classes[base, attribute]} classes of `{path}` list devices in `{attribute}`")


def _listings(cls: Defined) -> Iterator[tuple[str, list[str]]]:
    """The attributes of a class that hold the names of devices and nothing else."""
    for statement in cls.node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Set() | ast.List() | ast.Tuple() as listing):
                constants = [item.value for item in listing.elts if isinstance(item, ast.Constant)]
                texts = [text for text in constants if isinstance(text, str) and text in KNOWN]
                if texts and len(texts) == len(listing.elts):
                    yield name, texts
            case _:
                pass

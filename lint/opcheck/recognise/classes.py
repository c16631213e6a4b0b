"""A class for each backend: a base whose methods only raise, with classes that are named after backends."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from ..adapters.described.decorators import is_abstract
from ..adapters.described.endings import final_raise
from .proposal import LEAST, Proposal, Value, known_in
from .survey import Defined, Survey


def class_per_backend(found: Survey) -> Iterator[Proposal]:
    """A proposal for each base with at least two classes that are named after backends."""
    known = list(found.classes())
    for base in known:
        raising = _raising(base)
        derived = [(cls, backend) for cls in _derived(base, known) if (backend := known_in(cls.name))]
        if len(raising) >= LEAST and len({backend for _, backend in derived}) >= LEAST:
            keys: dict[str, Value] = {"shape": "classes", "base": base.path, **_named(derived)}
            yield Proposal(keys, f"`{base.path}` has {len(raising)} methods that only raise, and {_listed(derived)}")


def _raising(base: Defined) -> Sequence[str]:
    """The public methods of a class that only raise, where those are at least half of all."""
    methods = [n for n in base.node.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")]
    raising = [method.name for method in methods if final_raise(method) is not None or is_abstract(method)]
    return raising if 2 * len(raising) >= len(methods) else []


def _derived(base: Defined, known: Sequence[Defined]) -> list[Defined]:
    """The classes that derive from a base, from one another or directly."""
    names = {base.name}
    while more := {cls.name for cls in known if not names.isdisjoint(cls.bases)} - names:
        names |= more
    return [cls for cls in known if cls.name in names and cls.name != base.name]


def _named(derived: Sequence[tuple[Defined, str]]) -> Mapping[str, Value]:
    """How classes say which backend they are for: an attribute that each sets to a text, else their own names."""
    texts = [_texts(cls) for cls, _ in derived]
    attribute = next((name for name in texts[0] if all(name in others for others in texts)), None)
    if attribute is None:
        return {"backend": {cls.name: backend for cls, backend in derived}}
    return {"backend": attribute, "backends": list(dict.fromkeys(others[attribute] for others in texts))}


def _texts(cls: Defined) -> dict[str, str]:
    """The attributes of a class that are texts."""
    return {
        target.id: statement.value.value
        for statement in cls.node.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
        for target in statement.targets
        if isinstance(target, ast.Name) and isinstance(statement.value.value, str)
    }


def _listed(derived: Sequence[tuple[Defined, str]]) -> str:
    names = [f"`{cls.name}`" for cls, _ in derived]
    return f"{', '.join(names[:-1])} and {names[-1]} derive from it"

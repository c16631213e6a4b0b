"""A table of keywords: a callable of the project's own that is given a function for each of several backends."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from .proposal import Proposal, Value, known_in
from .survey import Survey

_LEAST: Final = 2


def keyword_table(found: Survey) -> Iterator[Proposal]:
    """A proposal for each callable that is called with at least two keywords which mention a backend each."""
    keywords: dict[str, dict[str, str]] = defaultdict(dict)
    calls: dict[str, int] = defaultdict(int)
    for call in found.calls():
        named = {k.arg: backend for k in call.keywords if k.arg is not None and (backend := known_in(k.arg))}
        if len(set(named.values())) >= _LEAST:
            name = ast.unparse(call.func).rpartition(".")[2]
            keywords[name] |= named
            calls[name] += 1
    for name, named in keywords.items():
        path = found.defined_as(name)
        if path is not None:
            keys: dict[str, Value] = {"shape": "keywords", "callable": path, "keywords": named, "op": "function"}
            yield Proposal(keys, f"`{path}` is called {calls[name]} times with keywords that mention backends")

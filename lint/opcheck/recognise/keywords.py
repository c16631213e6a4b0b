"""A table of keywords: a callable of the project's own that is given a function for each of several backends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from .proposal import LEAST, Proposal, Value, known_in
from .survey import Survey, last_name


def keyword_table(found: Survey) -> Iterator[Proposal]:
    """A proposal for each callable that is called with at least two keywords which mention a backend each."""
    keywords: dict[str, dict[str, str]] = defaultdict(dict)
    calls: dict[str, int] = defaultdict(int)
    for call in found.calls():
        named = {k.arg: backend for k in call.keywords if k.arg is not None and (backend := known_in(k.arg))}
        if len(set(named.values())) >= LEAST:
            name = last_name(call.func)
            keywords[name] |= named
            calls[name] += 1
    for name, named in keywords.items():
        path = found.defined_as(name)
        if path is not None:
            keys: dict[str, Value] = {"shape": "keywords", "callable": path, "keywords": named, "op": "function"}
            yield Proposal(keys, f"`{path}` is called {calls[name]} times with keywords that mention backends")

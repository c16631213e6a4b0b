"""Registrations: a decorator of the project's own that is given the name of a backend."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator

from .proposal import KNOWN, LEAST, Proposal, Value
from .survey import Survey, last_name


def registering_decorator(found: Survey) -> Iterator[Proposal]:
    """A proposal for each decorator that is used at least twice with a text that is a backend's name."""
    places: dict[str, Counter[int | str]] = defaultdict(Counter)
    backends: dict[str, list[str]] = defaultdict(list)
    for call in _decorators(found):
        name = last_name(call.func)
        for place, node in _arguments(call):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in KNOWN:
                places[name][place] += 1
                backends[name].append(node.value)
    for name, counted in places.items():
        path, (place, count) = found.defined_as(name), counted.most_common(1)[0]
        if path is not None and count >= LEAST:
            op: Value = "function" if place == 0 else 0
            keys: dict[str, Value] = {"shape": "registration", "callable": path, "op": op, "backend": place}
            keys["backends"] = list(dict.fromkeys(backends[name]))
            yield Proposal(keys, f"`@{name}` is given the name of a backend {count} times")


def _arguments(call: ast.Call) -> Iterator[tuple[int | str, ast.expr]]:
    yield from enumerate(call.args)
    yield from ((keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg is not None)


def _decorators(found: Survey) -> Iterator[ast.Call]:
    for tree in found.trees.values():
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                yield from (decorator for decorator in node.decorator_list if isinstance(decorator, ast.Call))

"""Described dispatchers, as the tables of a configuration that would describe them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opcheck.adapters.described.description import (
    Argument,
    Attribute,
    Calls,
    Classes,
    Description,
    Items,
    Keywords,
    Outside,
    Shape,
)


def keys_of(described: Description) -> Mapping[str, Any]:
    """What a description says, by the keys that say it; None for what it leaves out."""
    error = described.error
    return {
        "name": described.name,
        **_shape(described.shape),
        "backends": list(described.backends),
        "context": described.context,
        "error": {"type": error.type, "message": error.message} if error is not None else None,
        "call": described.call,
        "stubs": list(described.stubs) or None,
        "exclude": list(described.exclude) or None,
        "values": {value: list(names) for value, names in described.values.items()} or None,
    }


def _shape(shape: Shape) -> dict[str, Any]:
    match shape:
        case Calls(callables=paths, op=op, backend=backend, function=function, default=default):
            said = {"callable": list(paths), "op": _argument(op), "backend": _argument(backend)}
            return {"shape": "registration", **said, "function": _argument(function), "default": list(default) or None}
        case Items(table=table, op=place, backend=other, default=default):
            return {
                "shape": "registration",
                "table": table,
                "op": place,
                "backend": other,
                "default": list(default) or None,
            }
        case Keywords(callables=paths, keywords=keywords, op=op):
            return {"shape": "keywords", "callable": list(paths), "keywords": dict(keywords), "op": _argument(op)}
        case Attribute(base=base, attribute=attribute, op=name):
            return {"shape": "attribute", "base": list(base), "attribute": attribute, "op": name}
        case Classes(base=base, backend=named, methods=methods, outside=outside):
            said = {"backend": named if isinstance(named, str) else dict(named), "methods": _names(methods)}
            more = {path: _outside(listed) for path, listed in outside.items()}
            return {"shape": "classes", "base": list(base), **said, "outside": more or None}
        case _:
            return {"shape": "modules", "root": shape.root, "ops": _names(shape.ops)}


def _argument(argument: Argument | str | None) -> Any:
    if not isinstance(argument, Argument):
        return argument
    given = {"position": argument.position, "keyword": argument.keyword}
    there = {key: value for key, value in given.items() if value is not None}
    return there if len(there) > 1 else next(iter(there.values()))


def _names(names: tuple[str, ...] | str) -> Any:
    return names if isinstance(names, str) else list(names)


def _outside(listed: Outside) -> Any:
    methods = sorted(listed.methods)
    return {"methods": methods, "stubs": sorted(listed.stubs)} if listed.stubs else methods

"""The shapes that a described dispatcher can have, each with the keys that say how it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, cast

from opcheck.adapters.described.description import (
    Argument,
    Attribute,
    Calls,
    Classes,
    Items,
    Keywords,
    Modules,
    Outside,
    Shape,
)

from .error import ConfigError
from .section import Section
from .shapes import as_list, as_table

SHAPES: Final[Mapping[str, tuple[str, ...]]] = {
    "registration": ("callable", "table", "op", "backend", "function", "default"),
    "keywords": ("callable", "keywords", "op"),
    "attribute": ("base", "attribute", "op"),
    "classes": ("base", "backend", "methods", "outside"),
    "modules": ("root", "ops"),
}
"""The keys of each shape, beside those that all have."""

PLACE: Final = "{backend}"
"""What stands for the backend's name in a pattern."""


def read_shape(section: Section, shape: str) -> Shape:
    """What a table says in the keys of its shape. Raises ConfigError where they are missing or malformed."""
    return _READERS[shape](section)


def spelt_out(shape: Shape) -> tuple[str, ...]:
    """The backends that a shape names by itself."""
    match shape:
        case Calls(backend=None, default=default) | Items(backend=None, default=default):
            return default
        case Keywords(keywords=named):
            return tuple(named.values())
        case Classes(backend=Mapping() as named):
            return tuple(named.values())
        case _:
            return ()


def _registration(section: Section) -> Shape:
    if "table" in section.table:
        return _items(section)
    if "callable" not in section.table:
        help = 'name what registers, as in `callable = "mylib.registry.register"` or `table = "mylib.registry.TABLE"`'
        raise _lacking(section, "callable", help)
    return Calls(
        _paths(section, "callable"),
        _argument_or(section, "op", ("function", "object")) or Argument(0),
        _argument(section, "backend"),
        _argument(section, "function"),
        section.names("default"),
    )


def _items(section: Section) -> Shape:
    for key in ("callable", "function"):
        if key in section.table:
            span = section.document.key((*section.keys, key))
            raise ConfigError(
                f"`{key}` in {section.name} does not go with `table`", span, help="give it a table of its own"
            )
    has_backend = "backend" in section.table or "default" not in section.table
    backend = section.integer("backend", 1) if has_backend else None
    return Items(_path(section, "table"), section.integer("op", 0), backend, section.names("default"))


def _keywords(section: Section) -> Shape:
    callables = _paths(section, "callable")
    table = section.section("keywords")
    if not table.table:
        raise _lacking(section, "keywords", 'say which is for what, as in `keywords = { cupy_func = "cupy" }`')
    named = {key: table.needed(key) for key in table.table}
    return Keywords(callables, named, _argument_or(section, "op", ("function", "assignment")) or "function")


def _attribute(section: Section) -> Shape:
    return Attribute(_paths(section, "base"), section.needed("attribute"), section.text("op") or "class")


def _classes(section: Section) -> Shape:
    outside = section.section("outside")
    return Classes(
        _paths(section, "base"),
        _backend_of_classes(section),
        _names_or(section, "methods", ("base", "union")) or "base",
        {path: _outside(outside, path) for path in outside.table},
    )


def _backend_of_classes(section: Section) -> str | Mapping[str, str]:
    if as_table(section.table.get("backend")) is not None:
        named = section.section("backend")
        return {key: named.needed(key) for key in named.table}
    return section.needed("backend")


def _outside(section: Section, path: str) -> Outside:
    """The methods of a class that is not read: a list, or a table that has its stubs beside them."""
    if as_table(section.table[path]) is None:
        return Outside(frozenset(section.strings(path)))
    found = section.section(path)
    found.allow(("methods", "stubs"))
    return Outside(frozenset(found.strings("methods")), frozenset(found.strings("stubs")))


def _modules(section: Section) -> Shape:
    root = section.needed("root")
    if PLACE not in root:
        span = section.document.value((*section.keys, "root"))
        raise ConfigError(
            f"`root` in {section.name} has no `{PLACE}`", span, help=f'write it as in "pkg.backend.{PLACE}"'
        )
    if as_list(section.table.get("ops")) is not None:
        return Modules(root, section.strings("ops"))
    return Modules(root, section.text("ops") or "union")


_READERS: Final[Mapping[str, Callable[[Section], Shape]]] = {
    "registration": _registration,
    "keywords": _keywords,
    "attribute": _attribute,
    "classes": _classes,
    "modules": _modules,
}


def _path(section: Section, key: str) -> str:
    """A dotted path, with at least the module and a name in it."""
    return _checked(section, key, section.needed(key))


def _paths(section: Section, key: str) -> tuple[str, ...]:
    if key not in section.table:
        raise _lacking(section, key, f'give its dotted path, as in `{key} = "mylib.backend.Name"`')
    return tuple(_checked(section, key, path) for path in section.names(key))


def _checked(section: Section, key: str, path: str) -> str:
    parts = path.split(".")
    if len(parts) < 2 or not all(part.isidentifier() for part in parts):
        span = section.document.value((*section.keys, key))
        help = f'write the module and the name in it, as in `{key} = "mylib.backend.Name"`'
        raise ConfigError(f"`{path}` is not a dotted path", span, help=help)
    return path


def _argument(section: Section, key: str) -> Argument | None:
    """An argument by its position, its keyword, or a table of both; None where none is named."""
    value = section.table.get(key)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return Argument(section.integer(key, 0))
    if isinstance(value, str):
        return Argument(keyword=value)
    if as_table(value) is None:
        raise section.mistyped(key, "a position, a keyword or a table of both")
    both = section.section(key)
    both.allow(("position", "keyword"))
    return Argument(both.integer("position", 0) if "position" in both.table else None, both.text("keyword"))


def _argument_or(section: Section, key: str, words: tuple[str, ...]) -> Argument | Literal["function"] | None:
    value = section.table.get(key)
    return cast('Literal["function"]', value) if value in words else _argument(section, key)


def _names_or(section: Section, key: str, words: tuple[str, ...]) -> tuple[str, ...] | Literal["base"] | None:
    if as_list(section.table.get(key)) is not None:
        return section.strings(key)
    word = section.text(key)
    if word is not None and word not in words:
        span = section.document.value((*section.keys, key))
        raise ConfigError(
            f"unknown `{key}` `{word}`", span, help=f"it is one of {', '.join(words)}, or a list of names"
        )
    return cast('Literal["base"] | None', word)


def _lacking(section: Section, key: str, help: str) -> ConfigError:
    return ConfigError(f"{section.name} lacks `{key}`", section.document.key(section.keys), help=help)

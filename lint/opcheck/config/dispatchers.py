"""The `dispatchers` tables of a configuration: what a project's own dispatchers are called, and what they know."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from string import Formatter
from typing import Final

from opcheck.adapters import FRAMEWORKS
from opcheck.adapters.described.description import Description, ErrorTemplate
from opcheck_rules.base import nearest
from opcheck_rules.model.finding import Span

from .error import ConfigError, suggestion
from .section import Section
from .shapes import as_list
from .wordings import SHAPES, read_shape, spelt_out

_COMMON: Final = ("name", "shape", "backends", "context", "error", "call", "stubs", "exclude", "values")
_CONTEXTS: Final = ("forward", "autodiff", "compile", "vmap")
_PLACES: Final = ("op", "backend")


def read_dispatchers(section: Section) -> tuple[Description, ...]:
    """Every dispatcher that a configuration describes. Raises ConfigError at the first fault."""
    tables = as_list(section.table.get("dispatchers", []))
    if tables is None:
        raise section.mistyped("dispatchers", "a list of tables")
    return tuple(_description(table) for table in _tables(section, len(tables)))


def _tables(section: Section, count: int) -> Iterator[Section]:
    return (section.item("dispatchers", index) for index in range(count))


def _description(section: Section) -> Description:
    name, shape = section.needed("name"), section.needed("shape")
    _check_word(section, "shape", shape, tuple(SHAPES))
    section.allow((*_COMMON, *SHAPES[shape]))
    _check_name(section, name)
    said, values = read_shape(section, shape), section.section("values")
    return Description(
        name,
        said,
        _backends(section, (*spelt_out(said), *(name for value in values.table for name in values.names(value)))),
        section.document.key(section.keys),
        context=_context(section),
        error=_error(section),
        call=_call(section),
        stubs=section.strings("stubs"),
        exclude=section.strings("exclude"),
        values={value: values.names(value) for value in values.table},
    )


def _check_name(section: Section, name: str) -> None:
    if name in FRAMEWORKS:
        help = "opcheck knows that dispatcher by heart: give this one a name of its own"
        message = f"`{name}` can't be the name of a project's own dispatcher"
        raise ConfigError(message, _place(section, "name"), help=help)


def _backends(section: Section, evident: Sequence[str]) -> tuple[str, ...]:
    """The backends listed, else those that the shape spells out. Some shapes spell out none."""
    listed = section.strings("backends") or tuple(dict.fromkeys(evident))
    if not listed:
        help = 'list those that it knows, as in `backends = ["cpu", "cuda"]`'
        raise ConfigError(f"{section.name} lacks `backends`", section.document.key(section.keys), help=help)
    for backend in evident:
        if backend not in listed:
            near = suggestion(nearest(backend, listed)) or "add it, or leave `backends` out"
            place = section.document.pair((*section.keys, "backends"))
            raise ConfigError(f"`backends` in {section.name} lacks `{backend}`", place, help=near)
    return listed


def _context(section: Section) -> str:
    context = section.text("context") or "forward"
    _check_word(section, "context", context, _CONTEXTS)
    return context


def _error(section: Section) -> ErrorTemplate | None:
    if "error" not in section.table:
        return None
    error = section.section("error")
    error.allow(("type", "message"))
    return ErrorTemplate(error.needed("type"), _templated(error, "message") or "")


def _call(section: Section) -> str | None:
    """An expression, as a template."""
    text = _templated(section, "call")
    try:
        ast.parse((text or "0").format(op="op", backend="backend"), mode="eval")
    except (SyntaxError, ValueError):
        help = "write what looks the op up, as in `call = \"mylib.lookup('{op}', '{backend}')\"`"
        message = f"`call` in {section.name} is not an expression"
        raise ConfigError(message, _place(section, "call"), help=help) from None
    return text


def _templated(section: Section, key: str) -> str | None:
    """A text in which `{op}` and `{backend}` stand for names."""
    text = section.text(key)
    try:
        named = [name for _, name, *_ in Formatter().parse(text or "") if name is not None]
        _ = (text or "").format(op="", backend="") if set(named) <= set(_PLACES) else ""
    except ValueError as error:
        raise ConfigError(f"`{key}` in {section.name} is not a template: {error}", _place(section, key)) from None
    unknown = next((name for name in named if name not in _PLACES), None)
    if unknown is not None:
        help = suggestion(nearest(unknown, _PLACES)) or "write a brace that stands for itself twice"
        raise ConfigError(f"`{key}` in {section.name} has no `{{{unknown}}}`", _place(section, key), help=help)
    return text


def _check_word(section: Section, key: str, word: str, known: Sequence[str]) -> None:
    if word not in known:
        help = suggestion(nearest(word, known)) or f"it is one of {', '.join(known)}"
        raise ConfigError(f"unknown {key} `{word}`", _place(section, key), help=help)


def _place(section: Section, key: str) -> Span:
    return section.document.value((*section.keys, key))

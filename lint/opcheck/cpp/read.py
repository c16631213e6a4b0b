"""C++ and CUDA sources to the registrations in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tree_sitter import Parser

from opcheck_rules.model.finding import Span

from .arguments import Named, read_name
from .branches import Branches
from .calls import Context, brief, registered, registered_legacy, unread
from .drafts import Draft, Entry, Handover
from .expansion import Expander, Use
from .limits import MOST_BYTES, MOST_EXPANSION_DEPTH, MOST_PARSED, MOST_STATEMENT, STATEMENT_COST
from .link import link
from .macros import Macros, joined_macros, own_constants, own_macros
from .records import Guards, NativeRecord, merged
from .scopes import Library, Scope, library_made, library_of, one_library
from .syntax import new_parser, parse, without_bodies
from .text import Text, decode, read_text
from .walk import Statement, Walk


def read_native(path: Path, text: bytes) -> list[NativeRecord]:
    """The registrations in one source."""
    return read_natives({path: text})


def read_natives(sources: Mapping[Path, bytes]) -> list[NativeRecord]:
    """The registrations in several sources, whose macros and functions may be used in each other."""
    texts = {path: read_text(str(path), decode(data)) for path, data in sources.items() if len(data) <= MOST_BYTES}
    own = {path: own_macros(text) for path, text in texts.items()}
    shared, parser = joined_macros(own.values()), new_parser()
    entries = list[Entry]()
    for path, text in texts.items():
        entries += Reader(text, {**shared, **own_constants(text), **own[path]}, parser).entries()
    entries += [_nothing_known(str(path)) for path in sources if path not in texts]
    return link(entries)


def _nothing_known(path: str) -> Entry:
    """What stands for a source that is not read: it may register anything."""
    nowhere = Span(path, 1, 1, 1, 1)
    return Entry(Library("", None, "", None, nowhere), Draft("unread", Named(), nowhere, ()))


class Reader:
    """The reading of one source."""

    def __init__(self, text: Text, macros: Macros, parser: Parser) -> None:
        self._text, self._macros, self._parser = text, macros, parser
        self._expander = Expander(macros)
        self._left = MOST_PARSED

    def entries(self) -> list[Entry]:
        """What the source registers, in order."""
        context = Context(self._text, Branches(self._text.directives), self._macros, ())
        try:
            return list(self._read(context, Scope(), 0))
        except _TooMuchError:
            return [_nothing_known(self._text.path)]

    def _read(self, context: Context, root: Scope, depth: int) -> Iterator[Entry]:
        def opens(start: int, end: int) -> Library | None:
            return self._opened(context, start, end)

        interesting = self._expander.interesting(context.text.shape) if root.library is None else ()
        for statement in Walk(context.text, root, opens, interesting).statements():
            self._spend(1)
            inner = context.under(merged(statement.scope.guards(), statement.controls))
            yield from self._statement(inner, statement, depth)

    def _opened(self, context: Context, start: int, end: int) -> Library | None:
        self._spend(1)
        code = context.text.code[start:end]
        headers = self._expander.headers(code)
        if not headers:
            return None
        place = context.span(start + len(code) - len(code.lstrip()), start + len(code.rstrip()))
        guards = context.around(end)
        return one_library(library_of(header, self._macros, place, guards) for header in headers)

    def _spend(self, work: int) -> None:
        self._left -= work
        if self._left < 0:
            raise _TooMuchError

    def _statement(self, context: Context, statement: Statement, depth: int) -> Iterator[Entry]:
        library, start = statement.scope.library, statement.start
        text, end = context.text, statement.end
        if statement.is_cut and library:
            yield Entry(library, unread(context, start, end))
            return
        while use := self._expander.use(text.code, text.shape, start, end, inside=library is not None):
            yield from self._used(context, statement.scope, use, start, depth)
            start = use.end
        if text.shape[start:end].strip():
            yield from self._plain(context, library, start, end)

    def _used(self, context: Context, scope: Scope, use: Use, start: int, depth: int) -> Iterator[Entry]:
        """A macro at work: read what it writes, as if that stood at the macro's place."""
        self._spend(STATEMENT_COST)
        code = context.text.code[start : use.end]
        place = context.span(start + len(code) - len(code.lstrip()), use.end)
        can_expand = use.macro is not None and depth < MOST_EXPANSION_DEPTH
        written = self._expander.expand(use.macro, use.arguments) if use.macro and can_expand else None
        if written is not None:
            text = read_text(context.text.path, written)
            inner = Context(text, Branches(text.directives), self._macros, context.around(start), place)
            yield from self._read(inner, scope, depth + 1)
        else:
            library = scope.library or Library("", None, "", None, place)
            yield Entry(library, _by_name(use, place, context.around(start)))

    def _plain(self, context: Context, library: Library | None, start: int, end: int) -> Iterator[Entry]:
        """A statement that is no macro's: calls on the library, or the old interface."""
        code = context.text.code[start:end]
        if library is None:
            made = library_made(code, self._macros, context.span(start, end), context.around(start))
            if made:
                yield Entry(made, unread(context, start, end))
            elif "RegisterOperators" in code:
                nowhere = Library("", None, "", None, context.span(start, end))
                yield from (Entry(nowhere, found) for found in self._calls(context, None, start, end))
        elif _mentions(library.variable, context.text.shape[start:end]):
            yield from (Entry(library, found) for found in self._calls(context, library.variable, start, end))

    def _calls(self, context: Context, variable: str | None, start: int, end: int) -> Iterator[Draft | Handover]:
        written = without_bodies(context.text.code[start:end], context.text.shape[start:end])
        weight = len("".join(written.split()))
        if weight > MOST_STATEMENT:
            yield unread(context, start, end)
            return
        self._spend(weight + STATEMENT_COST)
        tree = parse(self._parser, context.text, start, written)
        yield from registered_legacy(context, tree) if variable is None else registered(context, tree, variable)


def _mentions(variable: str, shape: str) -> bool:
    """Whether a statement has to do with a library; declaring a class, however long, registers no op."""
    name = re.escape(variable)
    return bool(re.search(rf"\b{name}\b", shape)) and not re.match(rf"\s*{name}\s*(?:\.|->)\s*class_\b", shape)


class _TooMuchError(Exception):
    """A source registers more than is read."""


def _by_name(use: Use, place: Span, guards: Guards) -> Draft:
    """What a macro that was not read registers: the op that its first argument names, in a way that is not known."""
    named = read_name(use.arguments[0], {})
    kind = "define" if named.schema else "kernel" if named.name else "unread"
    text = brief(f"{use.name}({', '.join(use.arguments)})")
    return Draft(kind, named, place, guards, key_text=text, text=text)

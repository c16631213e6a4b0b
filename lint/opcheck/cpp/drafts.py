"""What a statement says before it is known which library it registers into, and the records it makes then."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from opcheck_rules.model.finding import Span

from .arguments import Named
from .records import Guards, NativeRecord, merged
from .scopes import Library

INHERITED: Final = "inherited"
"""The key of a kernel whose registration names none: that of its block."""


class Draft(Struct, frozen=True):
    """One registration inside a block or function; `key_span` is None where the block says the key."""

    kind: str
    named: Named
    span: Span
    guards: Guards
    key: str | None = None
    key_span: Span | None = None
    function: str | None = None
    key_text: str = ""
    text: str = ""
    legacy: bool = False

    def record(self, library: Library, around: Guards = ()) -> NativeRecord:
        """The record that it makes in a library."""
        is_inherited = self.key == INHERITED
        elsewhere = library.key_span if is_inherited else self.span
        return NativeRecord(
            kind=self.kind,
            namespace=self.named.namespace or library.namespace,
            name=self.named.name,
            span=self.span,
            key_span=self.key_span or elsewhere,
            schema=self.named.schema,
            key=library.key if is_inherited else self.key,
            function=self.function,
            guards=merged(library.guards, around, self.guards),
            namespace_text=library.namespace_text,
            key_text=library.key_text if is_inherited else self.key_text,
            text=self.text,
            legacy=self.legacy,
        )


class Handover(Struct, frozen=True):
    """A call that hands a block's library on to a function."""

    function: str
    span: Span
    guards: Guards


class Entry(Struct, frozen=True):
    """A draft or a handover, with the library as far as the place knows it."""

    library: Library
    content: Draft | Handover

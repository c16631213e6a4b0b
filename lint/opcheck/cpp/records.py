"""What one registration in a C++ source says, before any target is known."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from opcheck_rules.model.finding import Span


class Guard(Struct, frozen=True):
    """One condition a registration stands under, as written.

    `kind` is `macro` for a preprocessor condition, `template` for one of the template a source is generated from, and
    `statement` for an `if` or a loop of the running program.
    """

    text: str
    positive: bool = True
    kind: str = "macro"

    def negated(self) -> Guard:
        """The condition of the branch that is taken where this one fails."""
        return replace(self, positive=not self.positive)


Guards = tuple[Guard, ...]


def merged(*parts: Guards) -> Guards:
    """The guards of several places around one statement, each said once."""
    return tuple(dict.fromkeys(guard for part in parts for guard in part))


class NativeRecord(Struct, frozen=True):
    """One registration.

    `kind` is `define` or `kernel`; `fallback` for a kernel that stands for every op of a dispatch key; `unread` for
    what may register anything in its namespace. `name` has the overload but not the namespace; either is None where it
    was not read, and so is the `key` of a kernel: `namespace_text`, `key_text` and, for the name, `text` say what the
    source has in its place. `schema` begins at its parenthesis, `key_span` is where the key is written, and `function`
    is the C++ function as written. `legacy` marks the old interface, which may define an op once for each kernel.
    """

    kind: str
    namespace: str | None
    name: str | None
    span: Span
    key_span: Span
    schema: str | None = None
    key: str | None = None
    function: str | None = None
    guards: Guards = ()
    namespace_text: str = ""
    key_text: str = ""
    text: str = ""
    legacy: bool = False

    def in_extension(self, name: str) -> NativeRecord:
        """The record, once it is known which extension module its source is compiled into."""
        is_named_after = self.namespace is None and self.namespace_text == "TORCH_EXTENSION_NAME"
        return replace(self, namespace=name) if is_named_after else self

    @property
    def op(self) -> str | None:
        """`ns::name.overload`; None where part of it was not read."""
        return f"{self.namespace}::{self.name}" if self.namespace and self.name else None

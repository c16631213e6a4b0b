"""What each PyTorch statement puts on record."""

from __future__ import annotations

from dataclasses import dataclass

from opcheck_rules.model.finding import Span

from ...symbolic.values import Value
from .schema import Schema


@dataclass(frozen=True, slots=True)
class Defined:
    """An op comes into being. `api` is `custom_op`, `triton_op` or `define`; the schema is None where it was not read.

    `op` is None where the name could not be read; then `namespace` says where it lies, as far as that is known.
    `listing` is where the definition says which devices it is for.
    """

    op: str | None
    namespace: str | None
    api: str
    schema: Schema | None
    listing: Span
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Filled:
    """A slot of an op is filled.

    `slot` is `kernel`, `fake`, `derivative` or `vmap`. `key` is the dispatch key of a kernel, None where it could not
    be read or where what is `written` is no key or device; `unknown_message` is what PyTorch then says. `silent` marks
    one that replaces another on purpose.
    """

    op: str | None
    namespace: str | None
    slot: str
    key: str | None
    written: str | None
    function: Value
    key_span: Span
    unknown_message: str = ""
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """Compiled code is loaded that may define ops: in `namespace`, or in any where that is None."""

    namespace: str | None
    text: str

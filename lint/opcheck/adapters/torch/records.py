"""What each PyTorch statement puts on record."""

from __future__ import annotations

from msgspec import Struct

from opcheck_rules.model.finding import Span

from ...symbolic.values import Value
from .schema import Schema


class Defined(Struct, frozen=True):
    """An op comes into being. `api` is `custom_op`, `triton_op`, `define`, or `legacy` for `torch._custom_ops`.

    `op` is None where the name could not be read; then `namespace` says where it lies, as far as that is known, and
    `text` how the name is written. The schema is None where it was not read, and `listing` is where the definition says
    which devices it is for.
    """

    op: str | None
    namespace: str | None
    api: str
    schema: Schema | None
    listing: Span
    text: str = ""


class Filled(Struct, frozen=True):
    """A slot of an op is filled.

    `slot` is `kernel`, `fake`, `derivative` or `vmap`, and the two halves of a derivative that the older API has:
    `backward` and `save_for_backward`. `key` is the dispatch key of a kernel, None where it could not be read or where
    what is `written` is no key or device; `unknown_message` is what PyTorch then says. `text` is how the op or the key
    that was not read is written. One that goes `through_op`, by a custom op's own methods, is lost when the op is made
    anew; one that `yields` leaves a kernel alone that is there already. One `by_own_name` leaves the namespace out, and
    so does PyTorch when it refuses it.
    """

    op: str | None
    namespace: str | None
    slot: str
    function: Value
    key_span: Span
    key: str | None = None
    written: str | None = None
    text: str = ""
    unknown_message: str = ""
    through_op: bool = False
    yields: bool = False
    by_own_name: bool = False


class Opened(Struct, frozen=True):
    """Compiled code was loaded, which may define and fill anything; `text` is how that is written."""

    text: str


class NamespaceTaken(Struct, frozen=True):
    """A library of the kind `DEF` was made: there can be one for each namespace."""

    namespace: str

"""What was written to suppress findings, and does not."""

from __future__ import annotations

from msgspec import Struct

from .finding import PredictedError, Span


class UnusedSuppression(Struct, frozen=True):
    """A suppression, written at `span`, that suppresses nothing.

    `what` names it as it reads, and `why` says what stands against it. `subject` tells it from others of its file or
    op. `error` is what a declaration raises because of such a mark on it.
    """

    span: Span
    what: str
    why: str
    help: str = "remove it"
    op: str | None = None
    framework: str | None = None
    backend: str | None = None
    error: PredictedError | None = None
    subject: str = ""

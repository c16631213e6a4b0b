"""The one error for what a user asked that cannot be carried out."""

from __future__ import annotations

from pathlib import Path

from opcheck_rules.model.finding import Span


class ConfigError(Exception):
    """A configuration or a request that makes no sense: what is wrong, where, and what to do about it.

    `span` points into the file at fault, where there is one; `label` says what stands there.
    """

    def __init__(self, message: str, span: Span | None = None, *, label: str = "", help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.label = label
        self.help = help


def start_of(path: Path) -> Span:
    """The place of an error that concerns a file as a whole."""
    return Span(str(path), 1, 1, 1, 1)


def suggestion(near: str | None) -> str | None:
    """The help that offers the nearest right name, where one is near."""
    return f"did you mean `{near}`?" if near else None

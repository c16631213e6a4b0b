"""The forms that findings are written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final, TypeAlias

from .results import Results
from .snippet import View

Format: TypeAlias = Callable[[Results, View], str]
"""Writes out what was found, with a newline at its end; nothing where there is nothing to say."""


def _later(module: str, name: str) -> Format:
    """A format of a module that is imported when it is asked for: together they take longer than most of the rest."""

    def written(results: Results, view: View) -> str:
        write: Format = getattr(import_module(f".{module}", __package__), name)
        return write(results, view)

    return written


FORMATS: Final[Mapping[str, Format]] = {
    "full": _later("text", "full"),
    "concise": _later("concise", "concise"),
    "json": _later("json", "json_document"),
    "jsonl": _later("jsonl", "jsonl"),
    "sarif": _later("sarif", "sarif"),
    "github": _later("github", "github"),
    "gitlab": _later("gitlab", "gitlab"),
    "junit": _later("junit", "junit"),
    "markdown": _later("markdown", "markdown"),
}
"""Every format, by the name that asks for it."""

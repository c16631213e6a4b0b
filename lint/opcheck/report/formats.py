"""The forms that findings are written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from .concise import concise
from .github import github
from .gitlab import gitlab
from .json import json_document
from .jsonl import jsonl
from .junit import junit
from .markdown import markdown
from .results import Results
from .sarif import sarif
from .snippet import View
from .text import full

Format: TypeAlias = Callable[[Results, View], str]
"""Writes out what was found, with a newline at its end; nothing where there is nothing to say."""

FORMATS: Final[Mapping[str, Format]] = {
    "full": full,
    "concise": concise,
    "json": json_document,
    "jsonl": jsonl,
    "sarif": sarif,
    "github": github,
    "gitlab": gitlab,
    "junit": junit,
    "markdown": markdown,
}
"""Every format, by the name that asks for it."""

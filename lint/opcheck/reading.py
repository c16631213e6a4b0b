"""What reading a project gives: its declarations, and what was and was not read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Project

Guarded: TypeAlias = Sequence[tuple[Condition, object]]
Named: TypeAlias = Mapping[str, Guarded]
Statements: TypeAlias = Mapping[str, tuple[int, ...]]


class Environment(Struct, frozen=True):
    """What a project's metadata says of the machines it is installed on.

    `required` are the import names its requirements bring, `optional` those that an extra brings, by extra; `python` is
    the newest version it allows, as `3.13`.
    """

    required: frozenset[str] = frozenset()
    optional: Mapping[str, frozenset[str]] | None = None
    python: str | None = None


class IgnoreComment(Struct, frozen=True):
    """A rule that a comment says to ignore on its line, as written at `span`; empty where a comment names none.

    `beside` is the code on that line and the next, by which it is known when it moves.
    """

    rule: str
    span: Span
    beside: str = ""


class Reading(Struct, frozen=True):
    """A project as read, which no target has entered yet.

    `read` are the files looked through, `candidates` how many of them hold a declaration's needle, and `warnings` what
    the user should be told about the reading itself. `named` are the project's names whose value hangs on facts, with
    what each can be and when: a target may assume one of them. `modules` are the files by the names they are imported
    under. `statements` are the lines on which the statements at the margin begin of each file that declares something.
    `ignored` is what comments say to ignore, in sources and in the configuration. `digests` tell the content of each
    file from any other. What an earlier run read comes back without `read` and `digests`.
    """

    project: Project
    environment: Environment
    read: tuple[Path, ...]
    candidates: int
    warnings: tuple[str, ...] = ()
    named: Named = field(default_factory=dict[str, Guarded])
    ignored: tuple[IgnoreComment, ...] = ()
    modules: Mapping[str, str] = field(default_factory=dict[str, str])
    statements: Statements = field(default_factory=dict[str, tuple[int, ...]])
    digests: Mapping[Path, str] = field(default_factory=dict[Path, str])

"""What reading a project gives: its declarations, and what was and was not read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Edit, Span
from opcheck_rules.model.project import Project

Guarded: TypeAlias = Sequence[tuple[Condition, object]]
Named: TypeAlias = Mapping[str, Guarded]
Statements: TypeAlias = Mapping[str, tuple[int, ...]]
Slots: TypeAlias = "Mapping[Span, Slot]"
BACKEND: Final = "\0"
"""What no source holds."""


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


class Slot(Struct, frozen=True):
    """How a list of backends takes one more: the edits, in which `BACKEND` stands for its name.

    `serves` says that the list belongs to a function whose body would serve that backend.
    """

    edits: tuple[Edit, ...]
    serves: bool

    def filled(self, backend: str) -> tuple[Edit, ...]:
        """The edits that list a backend."""
        return tuple(replace(edit, text=edit.text.replace(BACKEND, backend)) for edit in self.edits)


class Reading(Struct, frozen=True):
    """A project as read, which no target has entered yet.

    `read` are the files looked through, `candidates` how many of them hold a declaration's needle, and `warnings` what
    the user should be told about the reading itself. `named` are the project's names whose value hangs on facts, with
    what each can be and when: a target may assume one of them. `modules` are the files by the names they are imported
    under. `statements` are the lines on which the statements at the margin begin of each file that declares something,
    and `slots` the lists of backends that are written out, by the place that an op's listing has.
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
    slots: Slots = field(default_factory=dict[Span, Slot])
    digests: Mapping[Path, str] = field(default_factory=dict[Path, str])

"""What descriptions bring to a project. It stands apart from `project`, which is loaded only where there are some."""

from __future__ import annotations

from msgspec import Struct, field

from opcheck_rules.model.project import Op, Registration
from opcheck_rules.model.unresolved import Unresolved


class Parts(Struct):
    """The parts of a project that descriptions bring."""

    ops: list[Op] = field(default_factory=list[Op])
    registrations: list[Registration] = field(default_factory=list[Registration])
    unresolved: list[Unresolved] = field(default_factory=list[Unresolved])

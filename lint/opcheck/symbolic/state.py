"""What an evaluation puts on record, and where it stands."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from msgspec import Struct

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from .limits import Budget
from .modules import Module, Turn
from .values import FunctionValue


class Effect(Struct, frozen=True):
    """What one statement registers: an adapter's `record`, made in `module` where `condition` holds.

    `turn` is that of the import to make it, which may have come before that of others on record.
    """

    record: object
    module: str
    condition: Condition
    span: Span
    turn: Turn
    hypothetical: bool


class Unread(Struct, frozen=True):
    """A call that was given up, and might have registered more: how it is written, and where it stands.

    `runner` is the module whose import makes the call, `node` is its code in `module`.
    """

    text: str
    condition: Condition
    span: Span
    runner: str
    node: ast.expr | ast.stmt
    module: Module


@dataclass(eq=False, slots=True)
class State:
    """Where the evaluation of one module-level statement stands.

    `stack` are the functions being called. `guarded` says that a call around here is given up as a whole where it goes
    past its bounds, and `site` which one, in its module. `import_of` is the module, where the statement is an import.
    `external_calls` are the calls of unread code in a `try`.
    """

    budget: Budget
    stack: list[FunctionValue] = field(default_factory=list[FunctionValue])
    guarded: bool = False
    site: tuple[Module, ast.expr | ast.stmt] | None = None
    import_of: str | None = None
    external_calls: list[str] = field(default_factory=list[str])

"""What may look on while a project is evaluated, and give calls and attributes of its own a meaning."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Protocol

from .values import ClassValue, DictValue, Intrinsic, Value

if TYPE_CHECKING:
    from .frame import Frame


class Watcher(Protocol):
    """Looks on: each method is told of one kind of event."""

    def meaning(self, callee: Value) -> Intrinsic | None:
        """What a call of this value means, where the project's own definition of it is not to be evaluated."""

    def attribute(self, base: Value, name: str) -> Intrinsic | None:
        """What an attribute of this very object means, where that is called."""

    def made(self, frame: Frame, cls: ClassValue, node: ast.expr | ast.stmt) -> None:
        """A class was defined."""

    def stored(self, frame: Frame, target: DictValue, key: Value, value: Value, node: ast.expr | None) -> None:
        """An item was put into a dictionary."""

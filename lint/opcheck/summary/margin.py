"""What stands at the margin of a file whose functions and classes are parsed when something asks what they hold."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from .parsing import BROKEN, parsed
from .segments import Segment, segments

_NAMED: Final = re.compile(r"(?:async[ \t]+def|def|class)[ \t]+(\w+)")


@dataclass(eq=False)
class Definition:
    """A function or a class at the margin, told by its text: its name, and the lines it has, decorators included.

    `whole` parses the file, for what cannot be parsed by itself.
    """

    name: str
    text: str
    lineno: int
    end_lineno: int
    whole: Callable[[], Sequence[ast.stmt]]

    @property
    def is_decorated(self) -> bool:
        """Whether it is called on its way to its name."""
        return self.text.startswith("@")

    @cached_property
    def words(self) -> frozenset[str]:
        """The names that it may mention, and more."""
        return frozenset(re.findall(r"\w+", self.text))

    @cached_property
    def node(self) -> ast.stmt | None:
        """The statement, its places as they are in the file; None where the file is no Python."""
        try:
            return parsed("\n" * (self.lineno - 1) + self.text).body[0]
        except BROKEN:
            return next((node for node in self.whole() if self.lineno <= node.lineno <= self.end_lineno), None)


Statement: TypeAlias = ast.stmt | Definition


def node_of(statement: Statement) -> ast.stmt | None:
    """What a statement is parsed to; None where it is a definition of a file that is no Python."""
    return statement.node if isinstance(statement, Definition) else statement


def margin(text: str, whole: Callable[[], Sequence[ast.stmt]]) -> list[Statement] | None:
    """The statements at the margin of a text, in order; None where the file has to be parsed for that."""
    found = segments(text)
    if found is None:
        return None
    definitions = [_definition(text, segment, whole) for segment in found]
    rest = (_blank(d) if d else text[s.start : s.end] for s, d in zip(found, definitions, strict=True))
    try:
        statements: list[Statement] = [*parsed("".join(rest)).body, *filter(None, definitions)]
    except BROKEN:
        return None
    return sorted(statements, key=lambda statement: statement.lineno)


def _definition(text: str, segment: Segment, whole: Callable[[], Sequence[ast.stmt]]) -> Definition | None:
    named = _NAMED.match(text, segment.head)
    if named is None:
        return None
    own = text[segment.start : segment.end]
    return Definition(named[1], own, segment.line, segment.line + own.count("\n"), whole)


def _blank(definition: Definition) -> str:
    return "\n" * (definition.end_lineno - definition.lineno)

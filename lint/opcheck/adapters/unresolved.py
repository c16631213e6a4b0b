"""What of a declaration could not be read, and whether its author can do anything about that."""

from __future__ import annotations

import ast
from functools import lru_cache
from itertools import accumulate
from typing import TypeVar

from opcheck_rules.model.unresolved import Part, Unresolved

from ..symbolic.collect import Reached

R = TypeVar("R")


def left_open(framework: str, reached: Reached[R], op: str | None, part: Part, text: str) -> Unresolved:
    """The report of a part that could not be read, `text` being what it comes from."""
    expression = text if is_expression(text) else None
    return Unresolved(framework, op, part, expression, reached.condition, reached.span)


def is_told(reached: Reached[R], text: str) -> bool:
    """Whether what was not read is for whoever calls the function to say, which nobody in the project does."""
    return reached.hypothetical and (not is_expression(text) or any(f"{name}." in text for name in _around(reached)))


def _around(reached: Reached[R]) -> list[str]:
    """The function that a record was made in as if it were called, and the functions and the class around it."""
    subjects = [atom.subject for atom in reached.condition.support()]
    called = [subject.removeprefix("called:") for subject in subjects if subject.startswith("called:")]
    names = [name for path in called for name in accumulate(path.split(".<locals>."), "{}.<locals>.{}".format)]
    owners = [name.rpartition(".")[0] for name in names]
    return [name for name in (*names, *owners) if name != reached.module]


@lru_cache(maxsize=4096)
def is_expression(text: str) -> bool:
    """Whether a text is an expression: something that its author can find, and that an `assume` line can name."""
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True

"""The lines of a text that places lie on, and the nodes that lines are a part of."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Sequence


def lines_of(text: str, places: Sequence[int]) -> list[int]:
    """The lines, counted from 1, that some offsets, which are in order, lie on."""
    lines, line, last = list[int](), 1, 0
    for place in places:
        line += text.count("\n", last, place)
        last = place
        lines.append(line)
    return lines


def covers(node: ast.stmt | ast.Lambda, lines: Sequence[int]) -> bool:
    """Whether a statement or a lambda, decorators included, has one of these lines, which are in order."""
    return bisect_left(lines, first_line(node)) < bisect_left(lines, (node.end_lineno or node.lineno) + 1)


def first_line(node: ast.stmt | ast.Lambda) -> int:
    """The line that a statement or a lambda begins on, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno

"""The lines of a text that places lie on, and the nodes that lines are a part of."""

from __future__ import annotations

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


def covers(node: object, lines: Sequence[int]) -> bool:
    """Whether a statement or a lambda, decorators included, has one of these lines, which are in order."""
    first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    for decorator in getattr(node, "decorator_list", ()):
        first = min(first, decorator.lineno)
    return bisect_left(lines, first) < bisect_left(lines, last + 1)

"""`match`: each case under the condition that its pattern is the first to match."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from opcheck_rules.model.condition import Condition

from .assignment import assign_name
from .comparison import compare
from .describe import bounded, describe
from .frame import Frame
from .lift import lift
from .truth import truth
from .values import Unknown, Value


def run_match(frame: Frame, node: ast.Match) -> list[tuple[Condition, Sequence[ast.stmt]]]:
    """The branches of a `match`, the one that no case matches last."""
    subject, before, left = frame.evaluate(node.subject), frame.path, frame.path
    branches: list[tuple[Condition, Sequence[ast.stmt]]] = []
    for case in node.cases:
        frame.path = left
        taken = _pattern(frame, case.pattern, subject)
        if case.guard is not None:
            taken = taken & truth(frame, frame.evaluate(case.guard))
        branches.append((left & taken, case.body))
        left = left & ~taken
    frame.path = before
    return [*branches, (left, [])]


def _pattern(frame: Frame, pattern: ast.pattern, subject: Value) -> Condition:
    """The condition under which a pattern matches: constants, names and alternatives; one atom for the rest."""
    match pattern:
        case ast.MatchValue(value=value):
            operands = [subject, frame.evaluate(value)]
            return truth(frame, lift(frame, operands, lambda v: compare(frame, ast.Eq(), v[0], v[1], pattern)))
        case ast.MatchSingleton(value=value):
            return truth(frame, lift(frame, [subject], lambda v: compare(frame, ast.Is(), v[0], value, pattern)))
        case ast.MatchOr(patterns=patterns):
            return frame.machine.space.any(_pattern(frame, p, subject) for p in patterns)
        case ast.MatchAs(pattern=inner, name=name):
            if name is not None:
                assign_name(frame, name, subject)
            return frame.machine.space.true if inner is None else _pattern(frame, inner, subject)
        case _:
            _capture(frame, pattern)
            text = f"{describe(subject)} matches {ast.unparse(pattern)}"
            return frame.machine.space.atom(bounded(frame, text, pattern))


def _capture(frame: Frame, pattern: ast.pattern) -> None:
    """Bind the names of a pattern that was not taken apart to what is not known."""
    for child in ast.walk(pattern):
        for name in (getattr(child, "name", None), getattr(child, "rest", None)):
            if isinstance(name, str):
                assign_name(frame, name, Unknown(f"{frame.scope.label}.{name}"))

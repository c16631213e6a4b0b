"""Operations on guarded values: worked out for each combination of alternatives that can hold together."""

from __future__ import annotations

from collections.abc import Callable

from opcheck_rules.model.condition import Condition

from .frame import Frame
from .limits import MOST_COMBINATIONS
from .scope import alternatives, join
from .values import Choice, Unknown, Value


def lift(frame: Frame, operands: list[Value], act: Callable[[list[Value]], Value]) -> Value:
    """`act` on every combination of what the operands can be, under the condition of that combination."""
    if Choice not in map(type, operands):
        return act(operands)
    combinations = _combine(frame, operands)
    if len(combinations) == 1:
        return act(combinations[0][1])
    before, results = frame.path, list[tuple[Condition, Value]]()
    for condition, values in combinations:
        frame.path = condition
        results.append((condition, act(values)))
    frame.path = frame.unhandled(before)
    return join(results, lambda: f"{frame.module.name}: one of {len(results)} values")


def _combine(frame: Frame, operands: list[Value]) -> list[tuple[Condition, list[Value]]]:
    combinations: list[tuple[Condition, list[Value]]] = [(frame.path, [])]
    for operand in operands:
        combinations = [
            (both, [*values, value])
            for condition, values in combinations
            for guard, value in alternatives(operand, condition)
            if not (both := condition & guard).fails
        ]
        if len(combinations) > MOST_COMBINATIONS:
            combinations = [(frame.path, [Unknown("one of too many values")] * len(operands))]
            break
    return combinations or [(frame.path, [Unknown("an unbound name")] * len(operands))]

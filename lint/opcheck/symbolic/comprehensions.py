"""Comprehensions: loops whose rounds are gathered."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .containers import iterate
from .dicts import store
from .frame import Frame
from .limits import MOST_ROUNDS
from .truth import truth
from .values import DictValue, ListValue, Value


def evaluate_comprehension(frame: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
    """A list, set or generator."""
    result = ListValue([], "set" if isinstance(node, ast.SetComp) else "list")

    def add(inner: Frame) -> None:
        value = inner.evaluate(node.elt)
        if len(result.items) < MOST_ROUNDS:
            result.items.append((inner.path, value))
        else:
            result.is_open = True

    is_complete = _rounds(frame, node.generators, add)
    result.is_open |= not is_complete
    return result


def evaluate_dict_comprehension(frame: Frame, node: ast.DictComp) -> Value:
    """A dictionary."""
    result = DictValue({})

    def add(inner: Frame) -> None:
        key = inner.evaluate(node.key)
        store(inner, result, key, inner.evaluate(node.value))

    is_complete = _rounds(frame, node.generators, add)
    result.is_open |= not is_complete
    return result


def _rounds(frame: Frame, generators: list[ast.comprehension], act: Callable[[Frame], None]) -> bool:
    """Run the clauses of a comprehension, `act` in each innermost round. Says whether every iterable was known."""
    done = _round(frame.machine.nested(frame, "comprehension"), generators, act)
    frame.path = frame.unhandled(frame.path)
    return done


def _round(frame: Frame, generators: list[ast.comprehension], act: Callable[[Frame], None]) -> bool:
    frame.machine.budget.spend()
    if not generators:
        act(frame)
        return True
    clause, before = generators[0], frame.path
    items = iterate(frame, frame.evaluate(clause.iter))
    if items is None:
        return False
    is_complete = True
    for condition, value in items:
        frame.path = before & condition
        frame.machine.assign(frame, clause.target, value)
        for guard in clause.ifs:
            frame.path = frame.path & truth(frame, frame.evaluate(guard))
        if not frame.path.fails:
            is_complete &= _round(frame, generators[1:], act)
    frame.path = before
    return is_complete

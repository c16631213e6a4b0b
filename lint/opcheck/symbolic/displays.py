"""Tuples, lists, sets, dictionaries and f-strings as they are written."""

from __future__ import annotations

import ast

from .computed import compute, is_narrow
from .containers import known_items
from .describe import bounded, describe_node
from .dicts import copy, store
from .frame import Frame
from .lift import lift
from .scope import narrow
from .values import DictValue, ListValue, Unknown, Value, bounded_list, is_scalar


def evaluate_tuple(frame: Frame, node: ast.Tuple) -> Value:
    """`(a, *b)`."""
    made = _display(frame, node.elts, "tuple")
    if made.is_open or not all(frame.path.implies(c) for c, _ in made.items):
        return made
    return tuple(v for _, v in made.items)


def evaluate_list(frame: Frame, node: ast.List | ast.Set) -> Value:
    """`[a, *b]` and `{a, *b}`."""
    return _display(frame, node.elts, "list" if isinstance(node, ast.List) else "set")


def _display(frame: Frame, nodes: list[ast.expr], kind: str) -> ListValue:
    """The items of a display, starred ones spread out."""
    made = ListValue([], kind)
    for node in nodes:
        if isinstance(node, ast.Starred):
            items, is_complete = known_items(frame, narrow(frame.evaluate(node.value), frame.path))
            made = bounded_list(made.items + items, kind, made.is_open or not is_complete)
        else:
            made.items.append((frame.machine.space.true, frame.evaluate(node)))
    return bounded_list(made.items, kind, made.is_open)


def evaluate_dict(frame: Frame, node: ast.Dict) -> Value:
    """`{a: b, **c}`."""
    made = DictValue({})
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = frame.evaluate(value_node)
        if key_node is None:
            spread = copy(frame, value) if isinstance(value, DictValue) else DictValue({}, is_open=True)
            made.items |= spread.items
            made.is_open |= spread.is_open
        else:
            store(frame, made, frame.evaluate(key_node), value, value_node)
    return made


def evaluate_joined(frame: Frame, node: ast.JoinedStr) -> Value:
    """An f-string."""
    parts = [frame.evaluate(part) for part in node.values]
    return lift(frame, parts, lambda values: _concatenate(frame, node, values))


def _concatenate(frame: Frame, node: ast.JoinedStr, values: list[Value]) -> Value:
    def undecided() -> Value:
        shown = "".join(v if isinstance(v, str) else "{" + frame.machine.describe(v) + "}" for v in values)
        return Unknown(bounded(frame, f"f{shown!r}", node))

    texts = [v for v in values if isinstance(v, str)]
    return compute(lambda: "".join(texts), undecided) if len(texts) == len(values) else undecided()


def evaluate_formatted(frame: Frame, node: ast.FormattedValue) -> Value:
    """One `{...}` of an f-string."""
    spec = frame.evaluate(node.format_spec) if node.format_spec else ""
    return lift(frame, [frame.evaluate(node.value), spec], lambda values: _format(frame, node, *values))


def _format(frame: Frame, node: ast.FormattedValue, value: Value, spec: Value) -> Value:
    def undecided() -> Value:
        return value if isinstance(value, Unknown) else Unknown(describe_node(frame, node.value))

    if not is_scalar(value) or not isinstance(spec, str) or not is_narrow(spec):
        return undecided()
    shown = repr(value) if node.conversion in (ord("r"), ord("a")) else str(value) if node.conversion > 0 else value
    return compute(lambda: format(shown, spec), undecided)

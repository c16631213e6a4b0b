"""What each kind of expression evaluates to."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, Final

from .comprehensions import evaluate_comprehension, evaluate_dict_comprehension
from .containers import element, iterate, known_items, slice_of
from .describe import describe_node
from .displays import evaluate_dict, evaluate_formatted, evaluate_joined, evaluate_list, evaluate_tuple
from .frame import Frame
from .functions import make_function
from .guards import test
from .lift import lift
from .limits import MOST_BITS, MOST_ROUNDS, GiveUpError
from .operators import evaluate_binary, evaluate_boolean, evaluate_compare, evaluate_unary
from .values import Arguments, DictValue, Items, Unknown, Value


def evaluate(frame: Frame, node: ast.expr) -> Value:
    """The value of an expression; unknown, and named after it, where no evaluator knows better."""
    evaluator = _EVALUATORS.get(type(node))
    return evaluator(frame, node) if evaluator else _unknown(frame, node)


def _unknown(frame: Frame, node: ast.expr) -> Unknown:
    return Unknown(describe_node(frame, node))


def _constant(frame: Frame, node: ast.Constant) -> Value:
    if isinstance(node.value, int) and node.value.bit_length() > MOST_BITS:
        return Unknown(f"{frame.module.name}:{node.lineno}")
    return node.value


def _name(frame: Frame, node: ast.Name) -> Value:
    return frame.machine.lookup(frame, node.id)


def _attribute(frame: Frame, node: ast.Attribute) -> Value:
    base = evaluate(frame, node.value)
    return lift(frame, [base], lambda values: frame.machine.attribute(frame, values[0], node.attr, node))


def _call(frame: Frame, node: ast.Call) -> Value:
    callee = evaluate(frame, node.func)
    return frame.machine.call(frame, callee, _arguments(frame, node))


def _arguments(frame: Frame, node: ast.Call) -> Arguments:
    """The arguments of a call, starred ones spread out where they are known."""
    arguments = Arguments([], {}, node)
    for arg in node.args:
        if isinstance(arg, ast.Starred):
            _spread(frame, evaluate(frame, arg.value), arguments)
        else:
            arguments.nodes[len(arguments.positional)] = arg
            arguments.positional.append(evaluate(frame, arg))
    for keyword in node.keywords:
        value = evaluate(frame, keyword.value)
        if keyword.arg is None:
            _spread_keywords(value, arguments)
        else:
            arguments.nodes[keyword.arg] = keyword.value
            arguments.keywords[keyword.arg] = value
    return arguments


def _spread(frame: Frame, value: Value, arguments: Arguments) -> None:
    items = iterate(frame, value)
    if items is None or not all(frame.path.implies(condition) for condition, _ in items):
        arguments.is_open = True
    else:
        arguments.positional += [v for _, v in items]


def _spread_keywords(value: Value, arguments: Arguments) -> None:
    if not isinstance(value, DictValue):
        arguments.is_open = True
        return
    arguments.keywords |= {key: item for key, item in value.items.items() if isinstance(key, str)}
    arguments.is_open |= value.is_open


def _conditional(frame: Frame, node: ast.IfExp) -> Value:
    before, condition = frame.path, test(frame, node.test)
    chosen: Items = []
    for side, operand in ((condition, node.body), (~condition, node.orelse)):
        frame.path = before & side
        if not frame.path.fails:
            chosen.append((frame.path, evaluate(frame, operand)))
    frame.path = frame.unhandled(before)
    return frame.machine.join(frame, chosen, node)


def _subscript(frame: Frame, node: ast.Subscript) -> Value:
    base = evaluate(frame, node.value)
    if isinstance(node.slice, ast.Slice):
        bounds = [evaluate(frame, b) if b else None for b in (node.slice.lower, node.slice.upper, node.slice.step)]
        return lift(frame, [base, *bounds], lambda v: slice_of(frame, v[0], v[1:], lambda: _unknown(frame, node)))
    index = evaluate(frame, node.slice)
    return lift(frame, [base, index], lambda v: element(frame, v[0], v[1], lambda: _unknown(frame, node)))


def _lambda(frame: Frame, node: ast.Lambda) -> Value:
    return make_function(frame, node, "<lambda>")


def _named(frame: Frame, node: ast.NamedExpr) -> Value:
    """`name := value` binds in the scope around the comprehensions it stands in."""
    value, scope = evaluate(frame, node.value), frame.scope
    while scope.is_inner and scope.parent is not None:
        scope = scope.parent
    scope.bind(node.target.id, value, frame.path)
    return value


def _yield(frame: Frame, node: ast.Yield) -> Value:
    value = evaluate(frame, node.value) if node.value else None
    _give(frame, [(frame.machine.space.true, value)], True)
    return _unknown(frame, node)


def _yield_from(frame: Frame, node: ast.YieldFrom) -> Value:
    _give(frame, *known_items(frame, evaluate(frame, node.value)))
    return _unknown(frame, node)


def _give(frame: Frame, items: Items, is_complete: bool) -> None:
    """Let a generator give items."""
    if frame.yielded is None:
        return
    if len(frame.yielded.items) + len(items) > MOST_ROUNDS:
        raise GiveUpError
    frame.yielded.items += [(frame.path & condition, value) for condition, value in items]
    frame.yielded.is_open |= not is_complete or frame.in_open_loop


_EVALUATORS: Final[Mapping[type[ast.expr], Callable[[Frame, Any], Value]]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Tuple: evaluate_tuple,
    ast.List: evaluate_list,
    ast.Set: evaluate_list,
    ast.Dict: evaluate_dict,
    ast.JoinedStr: evaluate_joined,
    ast.FormattedValue: evaluate_formatted,
    ast.BinOp: evaluate_binary,
    ast.UnaryOp: evaluate_unary,
    ast.BoolOp: evaluate_boolean,
    ast.Compare: evaluate_compare,
    ast.IfExp: _conditional,
    ast.Subscript: _subscript,
    ast.Lambda: _lambda,
    ast.ListComp: evaluate_comprehension,
    ast.SetComp: evaluate_comprehension,
    ast.GeneratorExp: evaluate_comprehension,
    ast.DictComp: evaluate_dict_comprehension,
    ast.NamedExpr: _named,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
}

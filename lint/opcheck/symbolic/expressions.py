"""What each kind of expression evaluates to."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from .containers import compute, element, iterate, slice_of
from .describe import bounded, describe_node
from .frame import Frame
from .functions import make_function
from .lift import lift
from .limits import MOST_ROUNDS, GiveUpError
from .truth import as_value, compare, test, truth
from .values import (
    SCALARS,
    Arguments,
    DictValue,
    ListValue,
    Unknown,
    Value,
)

_BINARY: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}
_UNARY: Final[dict[type[ast.unaryop], Callable[[Any], Any]]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}


def evaluate(frame: Frame, node: ast.expr) -> Value:
    """The value of an expression; unknown, and named after it, where no evaluator knows better."""
    evaluator = _EVALUATORS.get(type(node))
    return evaluator(frame, node) if evaluator else unknown(frame, node)


def unknown(frame: Frame, node: ast.expr) -> Unknown:
    """The unknown value an expression stands for."""
    return Unknown(describe_node(frame, node))


def _constant(_: Frame, node: ast.Constant) -> Value:
    return node.value


def _name(frame: Frame, node: ast.Name) -> Value:
    return frame.machine.lookup(frame, node.id)


def _attribute(frame: Frame, node: ast.Attribute) -> Value:
    base = frame.evaluate(node.value)
    return lift(frame, [base], lambda values: frame.machine.attribute(frame, values[0], node.attr, node))


def _call(frame: Frame, node: ast.Call) -> Value:
    callee = frame.evaluate(node.func)
    arguments = evaluate_arguments(frame, node)
    return frame.machine.call(frame, callee, arguments)


def evaluate_arguments(frame: Frame, node: ast.Call) -> Arguments:
    """The arguments of a call, starred ones spread out where they are known."""
    arguments = Arguments([], {}, node)
    for arg in node.args:
        if isinstance(arg, ast.Starred):
            _spread(frame, frame.evaluate(arg.value), arguments)
        else:
            arguments.nodes[len(arguments.positional)] = arg
            arguments.positional.append(frame.evaluate(arg))
    for keyword in node.keywords:
        value = frame.evaluate(keyword.value)
        if keyword.arg is not None:
            arguments.nodes[keyword.arg] = keyword.value
            arguments.keywords[keyword.arg] = value
        elif isinstance(value, DictValue) and not value.is_open and all(isinstance(k, str) for k in value.items):
            arguments.keywords |= {str(k): v for k, v in value.items.items()}
        else:
            arguments.is_open = True
    return arguments


def _spread(frame: Frame, value: Value, arguments: Arguments) -> None:
    items = iterate(frame, value)
    if items is None or not all(frame.path.implies(condition) for condition, _ in items):
        arguments.is_open = True
    else:
        arguments.positional += [v for _, v in items]


def _tuple(frame: Frame, node: ast.Tuple) -> Value:
    items = _elements(frame, node.elts)
    if items is None:
        return unknown(frame, node)
    return tuple(v for _, v in items)


def _list(frame: Frame, node: ast.List | ast.Set) -> Value:
    items = _elements(frame, node.elts)
    kind = "list" if isinstance(node, ast.List) else "set"
    return ListValue(items or [], kind, is_open=items is None)


def _elements(frame: Frame, nodes: list[ast.expr]) -> list[tuple[Any, Value]] | None:
    """The items of a display, starred ones spread out; None where one could not be read."""
    items: list[tuple[Any, Value]] = []
    always = frame.machine.space.true
    for node in nodes:
        if isinstance(node, ast.Starred):
            spread = iterate(frame, frame.evaluate(node.value))
            if spread is None:
                return None
            items += spread
        else:
            items.append((always, frame.evaluate(node)))
    return items


def _dict(frame: Frame, node: ast.Dict) -> Value:
    result = DictValue({})
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = frame.evaluate(value_node)
        if key_node is None:
            if isinstance(value, DictValue):
                result.items |= value.items
                result.is_open |= value.is_open
            else:
                result.is_open = True
            continue
        key = frame.machine.hashable(frame.evaluate(key_node))
        if key is None and not isinstance(key_node, ast.Constant):
            result.is_open = True
        else:
            result.items[key] = value
    return result


def _joined(frame: Frame, node: ast.JoinedStr) -> Value:
    parts = [frame.evaluate(part) for part in node.values]
    return lift(frame, parts, lambda values: _concatenate(frame, node, values))


def _concatenate(frame: Frame, node: ast.JoinedStr, values: list[Value]) -> Value:
    if all(isinstance(v, str) for v in values):
        return compute(lambda: "".join(map(str, values)), lambda: unknown(frame, node))
    shown = "".join(v if isinstance(v, str) else "{" + frame.machine.describe(v) + "}" for v in values)
    return Unknown(bounded(frame, f"f{shown!r}", node))


def _formatted(frame: Frame, node: ast.FormattedValue) -> Value:
    spec = frame.evaluate(node.format_spec) if node.format_spec else ""
    return lift(frame, [frame.evaluate(node.value), spec], lambda values: _format(frame, node, values))


def _format(frame: Frame, node: ast.FormattedValue, values: list[Value]) -> Value:
    value, spec = values
    if not isinstance(value, SCALARS) or not isinstance(spec, str) or (not spec.isalnum() and spec):
        return value if isinstance(value, Unknown) else unknown(frame, node.value)
    if node.conversion == ord("r"):
        value = repr(value)
    return compute(lambda: format(value, spec), lambda: unknown(frame, node.value))


def _binary(frame: Frame, node: ast.BinOp) -> Value:
    operands = [frame.evaluate(node.left), frame.evaluate(node.right)]
    return lift(frame, operands, lambda values: binary(frame, node.op, values[0], values[1], node))


def binary(frame: Frame, op: ast.operator, left: Value, right: Value, node: ast.expr | ast.stmt) -> Value:
    """The value of a binary operation on two unguarded operands."""

    def undecided() -> Value:
        symbol = ast.unparse(ast.BinOp(ast.Name("a"), op, ast.Name("b")))[2:-2]
        return Unknown(bounded(frame, f"{frame.machine.describe(left)} {symbol} {frame.machine.describe(right)}", node))

    if isinstance(left, ListValue) and isinstance(right, ListValue):
        return _merge(op, left, right) or undecided()
    if isinstance(left, DictValue) and isinstance(right, DictValue) and isinstance(op, ast.BitOr):
        return DictValue(left.items | right.items, left.is_open or right.is_open)
    if isinstance(op, ast.Mod) and isinstance(left, str) and isinstance(right, tuple):
        if all(isinstance(v, SCALARS) for v in right):
            return compute(lambda: left % right, undecided)
        return undecided()
    if isinstance(left, (*SCALARS, tuple)) and isinstance(right, (*SCALARS, tuple)):
        return compute(lambda: _BINARY[type(op)](left, right), undecided, left, right, op)
    return undecided()


def _merge(op: ast.operator, left: ListValue, right: ListValue) -> Value:
    """List concatenation and set union; None for what is neither."""
    joins = isinstance(op, ast.Add) if left.kind == "list" else isinstance(op, ast.BitOr)
    if not joins:
        return None
    return ListValue(left.items + right.items, left.kind, left.is_open or right.is_open)


def _unary(frame: Frame, node: ast.UnaryOp) -> Value:
    value = frame.evaluate(node.operand)
    if isinstance(node.op, ast.Not):
        return as_value(~truth(frame, value))
    if isinstance(value, (int, float)):
        return compute(lambda: _UNARY[type(node.op)](value), lambda: unknown(frame, node))
    return unknown(frame, node)


def _boolean(frame: Frame, node: ast.BoolOp) -> Value:
    """`and` and `or` give the operand that decided, each evaluated only where the ones before left it open."""
    before, is_and = frame.path, isinstance(node.op, ast.And)
    decided: list[tuple[Any, Value]] = []
    for i, operand in enumerate(node.values):
        value = frame.evaluate(operand)
        goes_on = truth(frame, value) if is_and else ~truth(frame, value)
        last = i == len(node.values) - 1
        decided.append((frame.path if last else frame.path & ~goes_on, value))
        frame.path = frame.path & goes_on
        if frame.path.fails:
            break
    frame.path = frame.unhandled(before)
    return frame.machine.join(frame, decided, node)


def _compare(frame: Frame, node: ast.Compare) -> Value:
    values = [frame.evaluate(operand) for operand in (node.left, *node.comparators)]
    result = frame.machine.space.true
    for op, left, right in zip(node.ops, values, values[1:], strict=False):
        result = result & truth(frame, lift(frame, [left, right], partial(_compare_pair, frame, op)))
    return as_value(result)


def _compare_pair(frame: Frame, op: ast.cmpop, pair: list[Value]) -> Value:
    return compare(frame, op, pair[0], pair[1])


def _conditional(frame: Frame, node: ast.IfExp) -> Value:
    before, condition = frame.path, test(frame, node.test)
    chosen: list[tuple[Any, Value]] = []
    for side, operand in ((condition, node.body), (~condition, node.orelse)):
        frame.path = before & side
        if not frame.path.fails:
            chosen.append((frame.path, frame.evaluate(operand)))
    frame.path = frame.unhandled(before)
    return frame.machine.join(frame, chosen, node)


def _subscript(frame: Frame, node: ast.Subscript) -> Value:
    base = frame.evaluate(node.value)
    if isinstance(node.slice, ast.Slice):
        bounds = [frame.evaluate(b) if b else None for b in (node.slice.lower, node.slice.upper, node.slice.step)]
        return lift(frame, [base, *bounds], lambda v: slice_of(v[0], v[1:], lambda: unknown(frame, node)))
    index = frame.evaluate(node.slice)
    return lift(frame, [base, index], lambda v: element(frame, v[0], v[1], lambda: unknown(frame, node)))


def _lambda(frame: Frame, node: ast.Lambda) -> Value:
    return make_function(frame, node, "<lambda>")


def _comprehension(frame: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
    kind = "set" if isinstance(node, ast.SetComp) else "list"
    result = ListValue([], kind)
    result.is_open = not _rounds(frame, node.generators, lambda f: result.items.append((f.path, f.evaluate(node.elt))))
    return result


def _dict_comprehension(frame: Frame, node: ast.DictComp) -> Value:
    result = DictValue({})

    def add(inner: Frame) -> None:
        key = inner.machine.hashable(inner.evaluate(node.key))
        if key is None:
            result.is_open = True
        else:
            result.items[key] = inner.evaluate(node.value)

    result.is_open |= not _rounds(frame, node.generators, add)
    return result


def _rounds(frame: Frame, generators: list[ast.comprehension], act: Callable[[Frame], None]) -> bool:
    """Run the clauses of a comprehension, `act` in each innermost round. Says whether every iterable was known."""
    inner = frame.machine.nested(frame, "comprehension")
    before = inner.path
    done = _round(inner, generators, act)
    inner.path = frame.unhandled(before)
    return done


def _round(frame: Frame, generators: list[ast.comprehension], act: Callable[[Frame], None]) -> bool:
    if not generators:
        frame.machine.budget.spend()
        act(frame)
        return True
    clause, before, complete = generators[0], frame.path, True
    items = iterate(frame, frame.evaluate(clause.iter))
    if items is None or len(items) > MOST_ROUNDS:
        return False
    for condition, value in items:
        frame.path = before & condition
        frame.machine.assign(frame, clause.target, value)
        for guard in clause.ifs:
            frame.path = frame.path & truth(frame, frame.evaluate(guard))
        if not frame.path.fails:
            complete &= _round(frame, generators[1:], act)
    frame.path = before
    return complete


def _named(frame: Frame, node: ast.NamedExpr) -> Value:
    value = frame.evaluate(node.value)
    frame.machine.assign(frame, node.target, value)
    return value


def _yield(frame: Frame, node: ast.Yield) -> Value:
    value = frame.evaluate(node.value) if node.value else None
    if frame.yielded is not None:
        if len(frame.yielded) >= MOST_ROUNDS:
            raise GiveUpError
        frame.yielded.append((frame.path, value))
    return unknown(frame, node)


_EVALUATORS: Final[Mapping[type[ast.expr], Callable[[Frame, Any], Value]]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _list,
    ast.Dict: _dict,
    ast.JoinedStr: _joined,
    ast.FormattedValue: _formatted,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.Subscript: _subscript,
    ast.Lambda: _lambda,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _dict_comprehension,
    ast.NamedExpr: _named,
    ast.Yield: _yield,
}

"""What is evident of an expression, and the calls and references it holds, looked at in the order they run."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from ..summary.bindings import stored
from ..summary.nodes import body_of, children
from ..symbolic.values import BoundMethod, External, FunctionValue, ModuleValue, Partial, Value
from .fact import Fact, Given, Kind, agreed, array, computed, is_array, named, plain, sources
from .made import made_by, made_by_method, wants_gradient
from .names import meanings, member
from .scene import Scene, Seen, fact_of, is_definition

_BACKWARD: Final = "opcheck_runtime.backward"
_PARTIAL: Final = "functools.partial"


def look(scene: Scene, node: ast.expr) -> Fact | None:
    """What an expression evidently is; every use of an op in it is put on record."""
    match node:
        case ast.Name() | ast.Attribute():
            fact = dotted(scene, node)
            _refer(scene, node, fact)
            return fact
        case ast.Constant(value=value):
            return plain(value)
        case ast.Call():
            return _call(scene, node)
        case ast.BinOp(left=left, right=right):
            return computed([look(scene, left), look(scene, right)], is_free=scene.where.is_free)
        case ast.UnaryOp(operand=operand):
            return computed([look(scene, operand)], is_free=scene.where.is_free)
        case ast.NamedExpr(target=target, value=value):
            fact = look(scene, value)
            scene.bind(target.id, fact)
            return fact
        case ast.IfExp(test=test, body=body, orelse=orelse):
            look(scene, test)
            return agreed([_look_where(scene, test, body, holds=True), _look_where(scene, test, orelse, holds=False)])
        case ast.BoolOp(op=op, values=[first, *rest]):
            look(scene, first)
            for value in rest:
                _look_where(scene, first, value, holds=isinstance(op, ast.And))
            return None
        case _:
            _look_inside(scene, node)
            return None


def _look_where(scene: Scene, test: ast.expr, node: ast.expr, *, holds: bool) -> Fact | None:
    """Look at an expression that is evaluated only where a test comes out so."""
    outer, scene.where = scene.where, scene.guarded(test, holds=holds)
    fact = look(scene, node)
    scene.where = outer
    return fact


def _look_inside(scene: Scene, node: ast.expr) -> None:
    """Any other expression is nothing evident itself."""
    if isinstance(node, ast.Lambda):
        look_later(scene, node)
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        outer, bound = dict(scene.names), stored([node])
        scene.forget(bound)
        look_at(scene, [part for loop in node.generators for part in (loop.iter, *loop.ifs)])
        look_at(scene, [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])
        scene.names = outer
        scene.forget(bound & outer.keys())
    else:
        look_at(scene, children(node))


def look_at(scene: Scene, nodes: Iterable[ast.AST]) -> None:
    """Look at some expressions, and at those below what is none (an argument list, a keyword)."""
    for node in nodes:
        if isinstance(node, ast.expr):
            look(scene, node)
        else:
            look_at(scene, children(node))


def look_later(scene: Scene, node: ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef) -> Scene | None:
    """Look at a function's defaults, evaluated at once; give the scene of its body, where that is to be walked here.

    It is not where it is walked on its own, or about no op. Annotations are left out: none calls an op.
    """
    look_at(scene, filter(None, (*node.args.kw_defaults, *node.args.defaults)))
    scene.defined[id(node)] = scene.where
    if id(node) in scene.project.met or not scene.project.covers(scene.body.module, node):
        return None
    # The names of a function around it are its own and those of all in it.
    names = scene.body.own or stored([node.args, *body_of(node)])
    within = replace(scene.where, within=node, caught=frozenset())
    inner = Scene(scene.project, replace(scene.body, own=names), within, seen=scene.seen, defined=scene.defined)
    if isinstance(node, ast.Lambda):
        look(inner, node.body)
    return inner


def dotted(scene: Scene, node: ast.expr) -> Fact | None:
    """What a name stands for, or an attribute of one, or any other expression that one is looked up on."""
    if isinstance(node, ast.Name):
        return scene.lookup(node.id)
    if isinstance(node, ast.Attribute):
        return attribute(scene, dotted(scene, node.value), node.attr)
    return look(scene, node)


def attribute(scene: Scene, base: Fact | None, name: str) -> Fact | None:
    """What an attribute of something stands for."""
    if base is None or base.kind is not Kind.NAMED:
        return base if is_array(base) and name in ("T", "mT") else None
    if isinstance(base.value, ModuleValue) and not is_definition(base.value.module.scope, name):
        constant = scene.project.constants_of(base.value.module.name).get(name)
        if constant is not None:
            return constant
    value = member(base.value, name)
    return fact_of(value) if value is not None else None


def _refer(scene: Scene, node: ast.expr, fact: Fact | None) -> None:
    for value in meanings(fact.value) if fact is not None and fact.kind is Kind.NAMED else ():
        op = scene.project.op_of(value)
        if op is not None:
            scene.seen.append(Seen(node, op, None, scene.where, is_lookup=_is_lookup(node, value)))


def _call(scene: Scene, node: ast.Call) -> Fact | None:
    """What a call gives, by what is called."""
    method = node.func if isinstance(node.func, ast.Attribute) else None
    base = dotted(scene, method.value if method is not None else node.func)
    given = _given(scene, node)
    if method is not None and (base is None or base.kind is not Kind.NAMED):
        _change(scene, method, base, given)
        return made_by_method(base, method.attr, given)
    callee = attribute(scene, base, method.attr) if method is not None else base
    return _named_call(scene, node, callee.value, given) if callee is not None else None


def _given(scene: Scene, node: ast.Call) -> Given:
    positional = tuple(look(scene, argument) for argument in node.args)
    keywords = {keyword.arg: look(scene, keyword.value) for keyword in node.keywords}
    is_open = None in keywords or any(isinstance(argument, ast.Starred) for argument in node.args)
    return Given(positional, {name: fact for name, fact in keywords.items() if name is not None}, is_open)


def _named_call(scene: Scene, node: ast.Call, callee: Value, given: Given) -> Fact | None:
    first = len(scene.seen)
    found = [_called(scene, node, value, given) for value in meanings(callee)]
    # One op that is declared in several ways is called once.
    scene.seen += {seen.op or id(seen.function): seen for seen in found if seen.op or seen.function}.values()
    calls = [place for place in range(first, len(scene.seen)) if scene.seen[place].op]
    if calls:
        return array(calls={*calls, *sources(given.all)} if len(calls) == 1 else calls)
    return agreed([_unrecorded(scene, value, given) for value in meanings(callee)])


def _called(scene: Scene, node: ast.Call, value: Value, given: Given) -> Seen:
    """What a call is of; where it is of a partial, its arguments are not those that are written."""
    while isinstance(value, Partial):
        value, given = value.function, Given(is_open=True)
    callee = value.function if isinstance(value, BoundMethod) else value
    function = callee if isinstance(callee, FunctionValue) else None
    return Seen(node, scene.project.op_of(value), function, scene.where, given, _is_lookup(node.func, value))


def _is_lookup(node: ast.expr, value: Value) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(value, External)


def _unrecorded(scene: Scene, callee: Value, given: Given) -> Fact | None:
    """What a function makes that is not read."""
    if not isinstance(callee, External):
        return None
    if callee.path == _BACKWARD:
        _differentiate(scene, given.get(0, "out"))
    if callee.path == _PARTIAL and given.positional and (function := given.positional[0]) is not None:
        return named(Partial(function.value, (), {})) if function.kind is Kind.NAMED else None
    made = made_by(callee.path, given)
    if made is None and callee.path.startswith("torch."):
        calls = sources(given.all)
        return array(calls=calls) if calls else None
    return made


def _change(scene: Scene, method: ast.Attribute, base: Fact | None, given: Given) -> None:
    """What calling a method changes: of the array itself, or of the calls that it was computed by."""
    if method.attr == "backward":
        _differentiate(scene, base)
    if method.attr in ("requires_grad_", "detach_") and isinstance(method.value, ast.Name) and base is not None:
        tracked = method.attr == "requires_grad_" and wants_gradient(given)
        scene.bind(method.value.id, replace(base, tracked=tracked))


def _differentiate(scene: Scene, fact: Fact | None) -> None:
    for call in fact.calls if fact is not None and is_array(fact) else ():
        scene.seen[call].differentiated = True

"""A body walked in order: where branches meet, what they agree on stays evident."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from ..summary.bindings import stored
from ..summary.nodes import children
from ..symbolic.imports import absolute_name
from ..symbolic.values import External
from .expressions import attribute, dotted, look, look_at, look_later
from .fact import Fact, computed, is_array, named
from .scene import Scene, Where, joined

_UNTRACKED: Final = frozenset(
    {
        *("opcheck_runtime.no_grad", "torch.no_grad", "torch.inference_mode", "torch.set_grad_enabled"),
        *("torch.autograd.no_grad", "torch.autograd.inference_mode", "torch.autograd.set_grad_enabled"),
    }
)
_TAKING: Final = frozenset({"contextlib.suppress", "pytest.raises"})
_TAKING_METHODS: Final = frozenset({"assertRaises", "assertRaisesRegex"})
ANY_ERROR: Final = "BaseException"
"""What a handler for every exception catches."""


def walk(scene: Scene, body: Sequence[ast.stmt]) -> bool:
    """Walk some statements. Says whether their end is reached; what a test keeps away after it, it guards."""
    outer, reached = scene.where, True
    for statement in body:
        reached = _statement(scene, statement) and reached
    scene.where = outer
    return reached


def _statement(scene: Scene, node: ast.stmt) -> bool:
    """Walk one statement. Says whether what stands after it is reached."""
    match node:
        case ast.Assign(targets=targets, value=value):
            _assign_all(scene, targets, value)
        case ast.AnnAssign(target=target, value=value):
            if value is not None:
                _assign(scene, target, look(scene, value))
        case ast.AugAssign(target=target, value=value):
            _augment(scene, target, value)
        case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
            look_at(scene, children(node))
            return False
        case ast.Assert(test=test):
            look_at(scene, children(node))
            scene.where = scene.guarded(test, holds=True)
        case ast.Delete():
            scene.forget(stored(node.targets))
        case _:
            return _compound(scene, node)
    return True


def _compound(scene: Scene, node: ast.stmt) -> bool:
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            return _if(scene, test, body, orelse)
        case ast.For() | ast.AsyncFor() | ast.While():
            _loop(scene, node)
        case ast.Try() | ast.TryStar():
            return _try(scene, node)
        case ast.With() | ast.AsyncWith():
            return _with(scene, node)
        case ast.Match(subject=subject, cases=cases):
            look(scene, subject)
            _branches(scene, [*((_case(case), scene.where) for case in cases), ([], scene.where)])
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            _function(scene, node)
        case ast.ClassDef():
            _class(scene, node)
        case ast.Import() | ast.ImportFrom():
            _import(scene, node)
        case _:
            look_at(scene, children(node))
    return True


def _assign_all(scene: Scene, targets: Sequence[ast.expr], value: ast.expr) -> None:
    match targets, value:
        case [ast.Tuple(elts=parts)], ast.Tuple(elts=values) if len(parts) == len(values):
            facts = [look(scene, part) for part in values]
            starred = any(isinstance(part, ast.Starred) for part in (*parts, *values))
            for part, fact in zip(parts, facts, strict=True):
                _assign(scene, part, None if starred else fact)
        case _:
            fact = look(scene, value)
            for target in targets:
                _assign(scene, target, fact)


def _assign(scene: Scene, target: ast.expr, fact: Fact | None) -> None:
    match target:
        case ast.Name(id=name):
            scene.bind(name, fact)
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if is_array(base := scene.lookup(name)):
            # `x.data = ...` can take an array elsewhere.
            wanted = fact is not None and fact.value is True
            scene.bind(name, replace(base, tracked=wanted) if base and attribute == "requires_grad" else None)
        case _:
            look_at(scene, children(target))
            scene.forget(stored([target]))


def _augment(scene: Scene, target: ast.expr, value: ast.expr) -> None:
    fact = look(scene, value)
    if isinstance(target, ast.Name):
        scene.bind(target.id, computed([scene.lookup(target.id), fact], is_free=scene.where.is_free))
    else:
        look_at(scene, children(target))


def _if(scene: Scene, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> bool:
    """Where one branch leaves, what stands after it is reached by the other alone."""
    look(scene, test)
    then, otherwise = scene.guarded(test, holds=True), scene.guarded(test, holds=False)
    first, second = _branches(scene, [(body, then), (orelse, otherwise)])
    if first is not second:
        scene.where = then if first else otherwise
    return first or second


def _branches(scene: Scene, branches: Iterable[tuple[Sequence[ast.stmt], Where]]) -> list[bool]:
    """Walk statements of which some are run. Says of each whether its end is reached."""
    before, outer = scene.names, scene.where
    ends: list[dict[str, Fact | None]] = []
    reached: list[bool] = []
    for body, where in branches:
        scene.names, scene.where = dict(before), where
        reached.append(walk(scene, body))
        if reached[-1]:
            ends.append(scene.names)
    scene.names, scene.where = joined(ends or [before]), outer
    return reached


def _loop(scene: Scene, node: ast.For | ast.AsyncFor | ast.While) -> None:
    """What a loop binds is not evident in its first round either: it may be left from an earlier one."""
    bound, where = stored([node]), scene.where
    if isinstance(node, ast.While):
        scene.forget(bound)
        look(scene, node.test)
        where = scene.guarded(node.test, holds=True)
    else:
        look(scene, node.iter)
        scene.forget(bound)
    _branches(scene, [(node.body, where), ([], scene.where)])
    scene.forget(bound)
    walk(scene, node.orelse)


def _try(scene: Scene, node: ast.Try | ast.TryStar) -> bool:
    """A handler runs after any part of the body: what the body binds is not evident there."""
    outer, before, bound = scene.where, dict(scene.names), stored(node.body)
    caught = frozenset(name for handler in node.handlers if not _passes_on(handler) for name in _names(handler.type))
    scene.where = replace(outer, caught=outer.caught | caught)
    reached = walk(scene, node.body)
    scene.where = outer
    reached = walk(scene, node.orelse) and reached
    ends = [scene.names] if reached else []
    for handler in node.handlers:
        scene.names = dict(before)
        look_at(scene, [handler.type] if handler.type else [])
        scene.forget([*bound, *([handler.name] if handler.name else [])])
        if walk(scene, handler.body):
            ends.append(scene.names)
    scene.names = joined(ends or [before])
    return walk(scene, node.finalbody) and bool(ends)


def _passes_on(handler: ast.ExceptHandler) -> bool:
    """Whether a handler ends by raising again what it was given."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def _names(kind: ast.expr | None) -> list[str]:
    """The exceptions a handler is for, by their last names; every one where that is not plain to see."""
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    names = [k.id if isinstance(k, ast.Name) else k.attr if isinstance(k, ast.Attribute) else "" for k in kinds]
    return [name if name[:1].isupper() else ANY_ERROR for name in names]


def _with(scene: Scene, node: ast.With | ast.AsyncWith) -> bool:
    outer, taken = scene.where, list[str]()
    for item in node.items:
        look(scene, item.context_expr)
        taken += _taken(scene, item.context_expr)
        if is_untracked(scene, item.context_expr):
            scene.where = replace(scene.where, is_free=True)
        if item.optional_vars is not None:
            _assign(scene, item.optional_vars, None)
    scene.where = replace(scene.where, caught=scene.where.caught | frozenset(taken))
    reached = walk(scene, node.body)
    scene.where = outer
    if taken:
        scene.forget(stored(node.body))
    return reached or bool(taken)


def _taken(scene: Scene, node: ast.expr) -> list[str]:
    """The exceptions that a context takes: `contextlib.suppress`, or what a test expects."""
    if not isinstance(node, ast.Call):
        return []
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in _TAKING_METHODS
    if not is_method and _path(scene, node.func) not in _TAKING:
        return []
    return [name for argument in node.args for name in _names(argument)]


def is_untracked(scene: Scene, node: ast.expr) -> bool:
    """Whether a context or decorator switches tracking off."""
    return _path(scene, node.func if isinstance(node, ast.Call) else node) in _UNTRACKED


def _path(scene: Scene, node: ast.expr) -> str | None:
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    fact = dotted(scene, node) if isinstance(root, ast.Name) else None
    return fact.value.path if fact is not None and isinstance(fact.value, External) else None


def _case(case: ast.match_case) -> list[ast.stmt]:
    """What one case of a `match` runs, the binding of its names and its own test with it."""
    names: list[ast.expr] = [ast.Name(name, ast.Store()) for name in sorted(stored([case.pattern]))]
    guard = [ast.Expr(case.guard)] if case.guard is not None else []
    return [ast.Delete(names), *guard, *case.body]


def _function(scene: Scene, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    outer = scene.where
    if any(is_untracked(scene, decorator) for decorator in node.decorator_list):
        scene.where = replace(outer, is_free=True)
    look_at(scene, node.decorator_list)
    inner = look_later(scene, node)
    if inner is not None:
        walk(inner, node.body)
    scene.where = outer
    scene.bind(node.name, None)


def _class(scene: Scene, node: ast.ClassDef) -> None:
    """A class body is run at once; its names are the class's."""
    look_at(scene, [*node.decorator_list, *node.bases, *node.keywords])
    outer = dict(scene.names)
    walk(scene, node.body)
    scene.names = outer
    scene.bind(node.name, None)


def _import(scene: Scene, node: ast.Import | ast.ImportFrom) -> None:
    """An import in a function binds a name of its own; one of a module was evaluated."""
    for name, fact in _imported(scene, node):
        scene.bind(name, fact if scene.body.function is not None else None)


def _imported(scene: Scene, node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Fact | None]]:
    module_of = scene.project.module_of
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.partition(".")[0]
            yield alias.asname or top, named(module_of(alias.name if alias.asname else top))
        return
    source = absolute_name(scene.body.module, node)
    for alias in node.names:
        fact = attribute(scene, named(module_of(source)), alias.name) if source is not None else None
        yield alias.asname or alias.name, fact

"""Every use of an op in a project: where, in which circumstances, and whether it can be tracked."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ..summary.bindings import stored
from ..summary.nodes import body_of, statements
from ..symbolic.machine import Machine
from ..symbolic.modules import Module
from ..symbolic.values import External, FunctionValue, ModuleValue, Value
from .expressions import look
from .fact import Fact, Given, Kind
from .guards import Guards
from .scene import Body, OpOf, Project, Scene, Seen, Where
from .statements import walk

_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_AUTOGRAD_FUNCTION: Final = "torch.autograd.Function"


class FoundUse(Struct, frozen=True):
    """A use of an op: where, in which module, under which condition of its own, and whether it can be tracked.

    `given` is what is evident of a call's arguments, None of a reference that calls nothing. `within` is the function
    around it, and `function` the name of that or of the module; `at_import` says that it runs when the module is
    imported, not only when that is run as a script. The rest is as `Seen` and `Where` have it.
    """

    op: str
    span: Span
    module: str
    condition: Condition
    tracked: bool
    given: Given | None
    is_lookup: bool
    differentiated: bool
    caught: frozenset[str]
    within: Span | None
    function: str
    at_import: bool


class _Walked(Struct, frozen=True):
    """A body, with what was seen in it."""

    body: Body
    seen: list[Seen]


def find_uses(machine: Machine, op_of: OpOf, untracked: Iterable[FunctionValue]) -> list[FoundUse]:
    """Every use of an op. `untracked` are the functions that autograd never sees into, kernels and rules."""
    walked = list(_walk_all(machine, op_of))
    free = {id(f.node) for f in untracked} | _autograd_functions(machine)
    tracked = _tracked_functions(walked, free)
    guards = Guards(machine)
    found = (
        _found(seen.op, w.body, seen, _is_tracked(w.body, seen, tracked), guards)
        for w in walked
        for seen in w.seen
        if seen.op is not None
    )
    return sorted(found, key=lambda use: use.span)


def _found(op: str, body: Body, seen: Seen, tracked: bool, guards: Guards) -> FoundUse:
    module, where = body.module, seen.where
    return FoundUse(
        op,
        module.source.span(seen.node),
        module.name,
        guards.condition(where.guard),
        tracked,
        seen.given,
        seen.is_lookup,
        seen.differentiated,
        where.caught,
        _span(module, where.within),
        body.function.qualname if body.function is not None else module.name,
        at_import=where.within is None and not guards.is_script(where.guard),
    )


def _span(module: Module, node: ast.AST | None) -> Span | None:
    return module.source.span(node) if isinstance(node, (ast.expr, ast.stmt)) else None


def _is_tracked(body: Body, seen: Seen, tracked: set[int]) -> bool:
    return not seen.where.is_free and (body.function is None or id(body.function.node) in tracked)


def _walk_all(machine: Machine, op_of: OpOf) -> Iterator[_Walked]:
    """The body of every module, and of every function that was met, in which something may use an op."""
    met = frozenset(id(function.node) for function in machine.functions)
    functions = {id(f.node): f for f in reversed(machine.functions) if machine.concerns(f)}
    walks: dict[str, tuple[Scene, Mapping[str, Fact]]] = {}
    defined: dict[int, Where] = {}

    def walked(module: Module) -> tuple[Scene, Mapping[str, Fact]]:
        if module.name not in walks:
            scene = Scene(project, Body(module, module.scope, None), Where(), defined=defined)
            walks[module.name] = scene, {}
            with suppress(RecursionError):
                _walk_module(scene, module, whole=machine.concerns(module))
            walks[module.name] = scene, _constants(module, scene)
        return walks[module.name]

    def constants_of(name: str) -> Mapping[str, Fact]:
        module = machine.met.get(name)
        return {} if module is None or module.is_untouched else walked(module)[1]

    project = Project(met, machine.covers, op_of, lambda name: _module(machine, name), constants_of)
    for module in [module for module in machine.modules.values() if machine.concerns(module)]:
        scene, _ = walked(module)
        yield _Walked(scene.body, scene.seen)
    for node, function in reversed(functions.items()):
        scene = _function_scene(project, function, defined.get(node, Where()))
        scene.defined = defined
        with suppress(RecursionError):
            _walk_function(scene, function)
        yield _Walked(scene.body, scene.seen)


def _walk_module(scene: Scene, module: Module, *, whole: bool) -> None:
    """Walk a module's body; where it is not about ops, for what it binds at its margin but functions and classes."""
    if whole:
        walk(scene, module.source.tree.body)
        return
    for statement in module.source.tree.body:
        if isinstance(statement, _DEFINITIONS):
            scene.forget([statement.name])
        else:
            walk(scene, [statement])


def _module(machine: Machine, name: str) -> Value:
    module = machine.met.get(machine.layout.canonical(name))
    return External(name) if module is None else ModuleValue(module)


def _constants(module: Module, scene: Scene) -> dict[str, Fact]:
    """What is evident of the names that a module binds once, and that none of its functions binds anew."""
    once = ((name, fact) for name, fact in scene.names.items() if name not in scene.again)
    facts = {n: replace(f, calls=frozenset()) for n, f in once if f is not None and f.kind is not Kind.NAMED}
    rebound = _rebound(module) if facts else frozenset[str]()
    return {name: fact for name, fact in facts.items() if name not in rebound}


def _rebound(module: Module) -> frozenset[str]:
    """The names of a module that its functions bind anew."""
    if "global" not in module.source.text:
        return frozenset()
    found = (node for node in statements(module.source.tree.body, "global") if isinstance(node, ast.Global))
    return frozenset(name for node in found for name in node.names)


def _function_scene(project: Project, function: FunctionValue, defined: Where) -> Scene:
    node = function.node
    own = stored([node.args, *body_of(node)])
    where = replace(defined, caught=frozenset(), within=node)
    return Scene(project, Body(function.module, function.scope, function, own), where)


def _walk_function(scene: Scene, function: FunctionValue) -> None:
    if isinstance(function.node, ast.Lambda):
        look(scene, function.node.body)
    else:
        walk(scene, function.node.body)


def _autograd_functions(machine: Machine) -> set[int]:
    """The methods of `torch.autograd.Function` classes: they are what tracking ends at."""
    classes = [c for c in machine.classes if c.derives_from(_AUTOGRAD_FUNCTION)]
    return {id(v.node) for c in classes for v in c.scope.names.values() if isinstance(v, FunctionValue)}


def _tracked_functions(walked: list[_Walked], free: set[int]) -> set[int]:
    """The functions a tracked call can reach: those that nobody calls, and what they call outside `no_grad`."""
    functions = {id(w.body.function.node) for w in walked if w.body.function is not None} - free
    calls: dict[int | None, set[int]] = defaultdict(set)
    called: set[int] = set()
    for each in walked:
        caller = id(each.body.function.node) if each.body.function is not None else None
        reached = [(id(seen.function.node), seen.where.is_free) for seen in each.seen if seen.function is not None]
        called |= {function for function, _ in reached}
        calls[caller] |= {function for function, is_free in reached if not is_free}
    tracked: set[int] = set()
    waiting = [*(functions - called), *calls[None]]
    while waiting:
        function = waiting.pop()
        if function in functions and function not in tracked:
            tracked.add(function)
            waiting += calls[function]
    return tracked

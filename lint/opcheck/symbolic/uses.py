"""Where ops are called, and whether such a call can be a tracked one."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, field
from typing import Final

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span

from ..summary.nodes import children
from .classes import class_attribute
from .machine import Machine
from .modules import Module
from .scope import Scope, alternatives
from .values import BoundMethod, Choice, ClassValue, External, FunctionValue, ModuleValue, Value

_UNTRACKED: Final = frozenset({"torch.no_grad", "torch.inference_mode", "opcheck_runtime.no_grad"})
_AUTOGRAD_FUNCTION: Final = "torch.autograd.Function"

OpOf = Callable[[Value], str | None]


@dataclass(frozen=True, slots=True)
class Call:
    """A call found in a body: of an op or of a project's function, and whether it stands under `no_grad`."""

    node: ast.Call
    op: str | None
    function: FunctionValue | None
    is_free: bool


@dataclass(frozen=True, slots=True)
class FoundUse:
    """A call of an op: where, in which module, under which condition of its own, and whether it can be tracked."""

    op: str
    span: Span
    module: str
    condition: Condition
    tracked: bool


@dataclass(eq=False)
class _Body:
    """One body whose calls are looked at: a function's or a module's."""

    module: Module
    scope: Scope
    function: FunctionValue | None
    calls: list[Call] = field(default_factory=list[Call])


def find_uses(machine: Machine, op_of: OpOf, untracked: Iterable[FunctionValue]) -> list[FoundUse]:
    """Every call of an op. `untracked` are the functions that autograd never sees into, kernels and rules."""
    bodies = list(_bodies(machine))
    met = {id(function.node) for function in machine.functions}
    for body in bodies:
        body.calls = list(_calls(body, op_of, met))
    free = {id(f.node) for f in untracked} | _autograd_functions(machine)
    tracked = _tracked_functions(bodies, free)
    always = machine.space.true
    return [
        FoundUse(c.op, body.module.source.span(c.node), body.module.name, always, _is_tracked(body, c, tracked))
        for body in bodies
        for c in body.calls
        if c.op is not None
    ]


def _is_tracked(body: _Body, call: Call, tracked: set[int]) -> bool:
    return not call.is_free and (body.function is None or id(body.function.node) in tracked)


def _bodies(machine: Machine) -> Iterator[_Body]:
    """Every module's body, and that of each function that was met."""
    seen: set[int] = set()
    for module in machine.modules.values():
        yield _Body(module, module.scope, None)
    for function in machine.functions:
        if id(function.node) not in seen:
            seen.add(id(function.node))
            yield _Body(function.module, function.scope, function)


def _calls(body: _Body, op_of: OpOf, met: set[int]) -> Iterator[Call]:
    """The calls that stand in a body, and in definitions within it that were not met on their own."""
    found, local = _look(body, met)
    for node, is_free in found:
        yield from _call(node, resolve(body.scope, node.func, local), op_of, is_free)


def _look(body: _Body, met: set[int]) -> tuple[list[tuple[ast.Call, bool]], set[str]]:
    """The calls in a body, whether each stands under `no_grad`, and the names that are its own (which hide others)."""
    roots, own = _roots(body)
    found: list[tuple[ast.Call, bool]] = []
    stack = [(node, _decorated_free(body)) for node in roots]
    while stack:
        node, is_free = stack.pop()
        if id(node) in met:
            continue
        if isinstance(node, (ast.With, ast.AsyncWith)):
            is_free = is_free or any(_is_free(body, item.context_expr) for item in node.items)
        elif isinstance(node, ast.Call):
            found.append((node, is_free))
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        stack += [(child, is_free) for child in children(node)]
    return found, own if body.function is not None else set()


def _call(node: ast.Call, value: Value, op_of: OpOf, is_free: bool) -> Iterator[Call]:
    for meant in [v for _, v in value.alternatives] if isinstance(value, Choice) else [value]:
        callee = meant.function if isinstance(meant, BoundMethod) else meant
        function = callee if isinstance(callee, FunctionValue) else None
        op = op_of(meant)
        if op is not None or function is not None:
            yield Call(node, op, function, is_free)


def _roots(body: _Body) -> tuple[list[ast.AST], set[str]]:
    """The statements of a body, and its parameters."""
    if body.function is None:
        return list(body.module.source.tree.body), set()
    node, spec = body.function.node, body.function.node.args
    parameters = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *filter(None, (spec.vararg, spec.kwarg))]
    roots: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    return roots, {parameter.arg for parameter in parameters}


def resolve(scope: Scope, node: ast.expr, local: Set[str]) -> Value:
    """What a dotted name stands for at module level; None for anything else, and for names of the function's own."""
    if isinstance(node, ast.Name):
        holder = None if node.id in local else scope.find(node.id)
        return holder.names[node.id] if holder is not None else None
    if not isinstance(node, ast.Attribute):
        return None
    base = resolve(scope, node.value, local)
    for _, value in alternatives(base, scope.base):
        found = _member(value, node.attr)
        if found is not None:
            return found
    return None


def _member(value: Value, name: str) -> Value:
    match value:
        case External(path=path):
            return External(f"{path}.{name}")
        case ModuleValue(module=module):
            return module.scope.names.get(name)
        case ClassValue():
            return class_attribute(value, name)
        case _:
            return None


def _decorated_free(body: _Body) -> bool:
    node = body.function.node if body.function else None
    decorators = [] if node is None or isinstance(node, ast.Lambda) else node.decorator_list
    return any(_is_free(body, d) for d in decorators)


def _is_free(body: _Body, node: ast.expr) -> bool:
    """Whether a context or decorator switches tracking off."""
    value = resolve(body.scope, node.func if isinstance(node, ast.Call) else node, frozenset())
    return isinstance(value, External) and value.path in _UNTRACKED


def _autograd_functions(machine: Machine) -> set[int]:
    """The methods of `torch.autograd.Function` classes: they are what tracking ends at."""
    classes = [c for c in machine.classes if c.derives_from(_AUTOGRAD_FUNCTION)]
    return {id(v.node) for c in classes for v in c.scope.names.values() if isinstance(v, FunctionValue)}


def _tracked_functions(bodies: list[_Body], free: set[int]) -> set[int]:
    """The functions a tracked call can reach: those that nobody calls, and what they call outside `no_grad`."""
    callers: dict[int, list[tuple[_Body, Call]]] = defaultdict(list)
    for body in bodies:
        for call in body.calls:
            if call.function is not None:
                callers[id(call.function.node)].append((body, call))
    functions = {id(b.function.node) for b in bodies if b.function is not None and id(b.function.node) not in free}
    tracked = {node for node in functions if node not in callers}
    grown = True
    while grown:
        found = {node for node in functions - tracked if any(_is_tracked(b, c, tracked) for b, c in callers[node])}
        tracked |= found
        grown = bool(found)
    return tracked

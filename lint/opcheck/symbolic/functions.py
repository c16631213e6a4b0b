"""Functions and classes of the project: made by their definitions, called with their arguments."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from ..summary.nodes import children
from .frame import Frame
from .limits import CALL_ATOMS, MOST_DEPTH, MOST_RECURSION, GiveUpError
from .scope import Scope, join
from .values import Arguments, DictValue, FunctionValue, ListValue, Unknown, Value, as_keys

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_UNCALLABLE = (ast.AsyncFunctionDef,)


def make_function(frame: Frame, node: Definition | ast.Lambda, name: str) -> FunctionValue:
    """The function a definition makes: its defaults are evaluated here, as Python does."""
    owner = frame.owner or frame.module.name
    function = FunctionValue(node, name, f"{owner}.{name}", frame.module, frame.scope)
    function.defaults = [frame.evaluate(default) for default in node.args.defaults]
    for arg, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        if default is not None:
            function.keyword_defaults[arg.arg] = frame.evaluate(default)
    frame.machine.functions.append(function)
    return function


def call_function(frame: Frame, function: FunctionValue, arguments: Arguments) -> Value:
    """Evaluate a call: the body runs under the caller's path, and what it raises narrows that only inside a `try`."""
    machine = frame.machine

    def text() -> str:
        return machine.describe_call(function.qualname, arguments)

    if isinstance(function.node, _UNCALLABLE) or machine.state.stack.count(function) >= MOST_RECURSION:
        return Unknown(text())
    if frame.depth >= MOST_DEPTH:
        raise GiveUpError
    function.called = True
    inner = _enter(frame, function)
    bind_parameters(inner, function, arguments)
    machine.state.stack.append(function)
    try:
        return _run(frame, inner, function, text)
    finally:
        machine.state.stack.pop()


def _enter(frame: Frame, function: FunctionValue) -> Frame:
    scope = Scope(frame.path, function.qualname, function.scope)
    inner = Frame(frame.machine, function.module, scope, frame.path, function, frame.attempt, frame.hypothetical)
    inner.depth, inner.owner, inner.runner = frame.depth + 1, f"{function.qualname}.<locals>", frame.runner
    inner.most_atoms = frame.most_atoms if frame.called else frame.path.size + CALL_ATOMS
    inner.is_lenient = frame.is_lenient and frame.called is None
    inner.yielded = ListValue([], "generator") if frame.machine.is_generator(function.node) else None
    return inner


def _run(frame: Frame, inner: Frame, function: FunctionValue, text: Callable[[], str]) -> Value:
    before = frame.path
    if isinstance(function.node, ast.Lambda):
        result: Value = inner.evaluate(function.node.body)
    else:
        frame.machine.execute(inner, function.node.body)
        result = _result(inner, text)
    frame.path = frame.unhandled(before)
    return result if inner.yielded is None else inner.yielded


def _result(inner: Frame, text: Callable[[], str]) -> Value:
    if not inner.path.fails:
        inner.returned.append((inner.path, None))
    return join(inner.returned, text)


def is_generator(node: Definition | ast.Lambda) -> bool:
    """Whether the body itself yields (not a function inside it)."""
    stack: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    while stack:
        top = stack.pop()
        if isinstance(top, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(top, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack += children(top)
    return False


def bind_parameters(inner: Frame, function: FunctionValue, arguments: Arguments) -> None:
    """Give every parameter its argument, its default, or an unknown value named after it."""
    spec, scope = function.node.args, inner.scope
    positional = [*spec.posonlyargs, *spec.args]
    keywords = dict(arguments.keywords)
    for i, arg in enumerate(positional):
        if i < len(arguments.positional):
            scope.names[arg.arg] = arguments.positional[i]
        elif arg.arg in keywords:
            scope.names[arg.arg] = keywords.pop(arg.arg)
        else:
            scope.names[arg.arg] = _default(function, i, arg.arg)
    for arg in spec.kwonlyargs:
        unset = function.keyword_defaults.get(arg.arg, Unknown(f"{function.qualname}.{arg.arg}"))
        scope.names[arg.arg] = keywords.pop(arg.arg) if arg.arg in keywords else unset
    if spec.vararg:
        rest = tuple(arguments.positional[len(positional) :])
        scope.names[spec.vararg.arg] = Unknown(f"{function.qualname}.{spec.vararg.arg}") if arguments.is_open else rest
    if spec.kwarg:
        scope.names[spec.kwarg.arg] = DictValue(as_keys(keywords), arguments.is_open)


def _default(function: FunctionValue, index: int, name: str) -> Value:
    spec = function.node.args
    first = len(spec.posonlyargs) + len(spec.args) - len(function.defaults)
    return function.defaults[index - first] if index >= first else Unknown(f"{function.qualname}.{name}")


def hypothetical_arguments(function: FunctionValue, receiver: Value = None) -> Arguments:
    """Arguments for a call nobody makes: every parameter is unknown, but for the object a method is called on."""
    arguments = Arguments([], {}, function.node if isinstance(function.node, ast.Lambda) else ast.Pass(), is_open=True)
    if receiver is not None:
        arguments.positional.append(receiver)
    # Defaults are what a caller may leave out, not what it passes: they are no facts about the call.
    spec = function.node.args
    names = [a.arg for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)][len(arguments.positional) :]
    arguments.keywords = {name: Unknown(f"{function.qualname}.{name}") for name in names}
    return arguments

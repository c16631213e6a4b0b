"""`try`, `raise` and `contextlib.suppress`: what fails takes its part of the path to the handler it ends in."""

from __future__ import annotations

import ast
from typing import Final

from opcheck_rules.model.condition import Condition

from .assignment import assign
from .frame import Attempt, Frame
from .limits import FEW_ATOMS
from .values import Arguments, External, Instance, ListValue, Unknown, Value

_IMPORT_ERRORS: Final = frozenset({"ImportError", "ModuleNotFoundError"})
_ANYTHING: Final = frozenset({"Exception", "BaseException"})
_PARENTS: Final = {
    "ModuleNotFoundError": ("ImportError",),
    "FileNotFoundError": ("OSError",),
    "NotImplementedError": ("RuntimeError",),
    "KeyError": ("LookupError",),
    "IndexError": ("LookupError",),
}


def run_raise(frame: Frame, node: ast.Raise) -> None:
    """`raise`: within a function nothing after it runs; a module that would fail here is read on."""
    frame.fail(frame.path, *(_exception_names(frame, node.exc) if node.exc else ("Exception", "BaseException")))
    if frame.called is not None:
        frame.path = frame.machine.space.false


def _exception_names(frame: Frame, node: ast.expr) -> tuple[str, ...]:
    """The name of an exception that is raised, and of the classes that catch it."""
    value = frame.evaluate(node.func if isinstance(node, ast.Call) else node)
    name = frame.machine.describe(value)
    return (name, *_PARENTS.get(name, ()), "Exception", "BaseException")


def run_try(frame: Frame, node: ast.Try | ast.TryStar) -> None:
    """A body holds where nothing it runs raised; each handler where something did that ends in it."""
    before = frame.path
    attempt = _body(frame, node)
    for escaped in attempt.escaped:
        frame.path = frame.path & ~escaped
    frame.machine.execute(frame, node.orelse)
    after = frame.path
    for handler, escaped in zip(node.handlers, attempt.escaped, strict=True):
        frame.path = escaped & before
        _handle(frame, handler)
        after = after | frame.path
    _finally(frame, node, before, after)


def _body(frame: Frame, node: ast.Try | ast.TryStar) -> Attempt:
    """Evaluate the body. Where nothing outside is told of a failure, the calls in it that may fail are this `try`'s."""
    handlers = tuple(_handled(frame, handler) for handler in node.handlers)
    attempt = Attempt(handlers, frame.attempt, [frame.machine.space.false for _ in handlers])
    calls, frame.machine.state.external_calls = frame.machine.state.external_calls, []
    frame.attempt = attempt
    frame.machine.execute(frame, node.body)
    _external_failure(frame, node, attempt)
    frame.attempt = attempt.outer
    # What fails here and may not end here is a question for the `try` around this one.
    unsettled = [] if _ready(attempt) else frame.machine.state.external_calls
    frame.machine.state.external_calls = [*calls, *unsettled]
    return attempt


def _handled(frame: Frame, handler: ast.ExceptHandler) -> frozenset[str] | None:
    """The names of the exceptions a handler is for; None where it is for all of them."""
    if handler.type is None:
        return None
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = frozenset(frame.machine.describe(frame.evaluate(kind)) for kind in kinds)
    return names if names.isdisjoint(_ANYTHING) else None


def _external_failure(frame: Frame, node: ast.Try | ast.TryStar, attempt: Attempt) -> None:
    """Unread code may raise: where a handler is ready for more than a failed import, that is one condition."""
    calls = frame.machine.state.external_calls
    ready = _ready(attempt)
    if not calls or not ready:
        return
    succeeds = frame.machine.space.atom(f"{_first_call(frame, node) or calls[0]} succeeds")
    escaped = attempt.escaped[ready[0]]
    if escaped.size > FEW_ATOMS:
        # What else it may raise is part of the same question, and would only spell it out.
        frame.path = frame.path | escaped
        escaped = frame.machine.space.false
    attempt.escaped[ready[0]] = escaped | (frame.path & ~succeeds)


def _ready(attempt: Attempt) -> list[int]:
    """The handlers that are ready for more than a failed import."""
    return [i for i, names in enumerate(attempt.handlers) if names is None or not names <= _IMPORT_ERRORS]


def _first_call(frame: Frame, node: ast.Try | ast.TryStar) -> str | None:
    """The call that a `try` is there for, as it is written."""
    found = (child for statement in node.body for child in ast.walk(statement) if isinstance(child, ast.Call))
    call = next(found, None)
    return frame.name_of(call) if call is not None else None


def _handle(frame: Frame, handler: ast.ExceptHandler) -> None:
    if handler.name and not frame.path.fails:
        text = f"{frame.module.name}:{handler.lineno} {handler.name}"
        frame.scope.bind(handler.name, Unknown(text), frame.path)
    frame.machine.execute(frame, handler.body)


def _finally(frame: Frame, node: ast.Try | ast.TryStar, before: Condition, after: Condition) -> None:
    """Run `finally`, whichever way the rest was left; what it leaves itself is left for good."""
    frame.path = frame.unhandled(before) if node.finalbody else after
    frame.machine.execute(frame, node.finalbody)
    frame.path = frame.path & after


def run_with(frame: Frame, node: ast.With | ast.AsyncWith) -> None:
    """`with`: its body runs, and goes on after it where a `suppress` took what it raised."""
    before, outer = frame.path, frame.attempt
    for item in node.items:
        value = frame.evaluate(item.context_expr)
        suppressed = _suppressed(frame, item.context_expr)
        if suppressed:
            frame.attempt = Attempt((suppressed,), frame.attempt, [frame.machine.space.false])
        if item.optional_vars is not None:
            assign(frame, item.optional_vars, _entered(frame, value, item.context_expr))
    frame.machine.execute(frame, node.body)
    while frame.attempt is not None and frame.attempt is not outer:
        frame.path = frame.path | (frame.attempt.escaped[0] & before)
        frame.attempt = frame.attempt.outer


def _suppressed(frame: Frame, node: ast.expr) -> frozenset[str]:
    """The exceptions that a `contextlib.suppress(...)` takes; none for any other context."""
    if not isinstance(node, ast.Call) or frame.evaluate(node.func) != External("contextlib.suppress"):
        return frozenset()
    return frozenset(frame.machine.describe(frame.evaluate(a)) for a in node.args)


def _entered(frame: Frame, value: Value, node: ast.expr) -> Value:
    """What `as` binds: the object itself, unless its class says otherwise."""
    if isinstance(value, Instance):
        enter = frame.machine.attribute(frame, value, "__enter__", node)
        return frame.machine.call(frame, enter, Arguments([], {}, node))
    if isinstance(value, ListValue) and value.kind == "generator" and value.items:
        return value.items[0][1]
    return value

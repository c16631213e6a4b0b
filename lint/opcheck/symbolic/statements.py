"""What each kind of statement does to names, to the path, and to what is registered."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from opcheck_rules.model.condition import Condition

from .assignment import assign, forget
from .classes import make_class
from .containers import iterate
from .expressions import binary
from .frame import Attempt, Frame, Loop
from .functions import Definition, keeps_function, make_function
from .imports import import_from, import_modules
from .lift import lift
from .limits import FEW_ATOMS, MOST_ROUNDS, PATH_ATOMS, GiveUpError
from .scope import narrow
from .truth import compare, test, truth
from .values import Arguments, External, FunctionValue, Instance, ListValue, Unknown, Value


def execute(frame: Frame, body: Sequence[ast.stmt]) -> None:
    """Run statements in order until none is left that can be reached."""
    for statement in body:
        if frame.path.fails:
            return
        frame.machine.budget.spend()
        handler = _HANDLERS.get(type(statement))
        if handler is not None:
            handler(frame, statement)
        _bound_path(frame, statement)
        if isinstance(statement, ast.Raise):
            return


def _bound_path(frame: Frame, statement: ast.stmt) -> None:
    """Keep conditions from growing: inside a call the call is given up, elsewhere the condition becomes one atom."""
    if frame.called is not None:
        if frame.path.size > frame.most_atoms:
            raise GiveUpError
    elif frame.path.size > PATH_ATOMS:
        frame.path = frame.machine.space.atom(f"{frame.module.name}:{statement.lineno} is passed")


def _expression(frame: Frame, node: ast.Expr) -> None:
    frame.evaluate(node.value)


def _assign(frame: Frame, node: ast.Assign) -> None:
    value = frame.evaluate(node.value)
    for target in node.targets:
        assign(frame, target, value)


def _annotated(frame: Frame, node: ast.AnnAssign) -> None:
    if node.value is not None:
        assign(frame, node.target, frame.evaluate(node.value))


def _augmented(frame: Frame, node: ast.AugAssign) -> None:
    old, added = frame.evaluate(node.target), frame.evaluate(node.value)
    if isinstance(old, ListValue) and isinstance(node.op, (ast.Add, ast.BitOr)):
        items = iterate(frame, added)
        old.is_open |= items is None or len(old.items) > MOST_ROUNDS
        old.items += [(frame.path & c, v) for c, v in items or []]
        return
    assign(frame, node.target, lift(frame, [old, added], lambda v: binary(frame, node.op, v[0], v[1], node)))


def _if(frame: Frame, node: ast.If) -> None:
    condition = test(frame, node.test)
    _branch(frame, [(condition, node.body), (~condition, node.orelse)])


def _branch(frame: Frame, branches: list[tuple[Condition, Sequence[ast.stmt]]]) -> None:
    before, after = frame.path, frame.machine.space.false
    for condition, body in branches:
        frame.path = before & condition
        if not frame.path.fails:
            execute(frame, body)
        after = after | frame.path
    frame.path = after


def _for(frame: Frame, node: ast.For | ast.AsyncFor) -> None:
    items = iterate(frame, frame.evaluate(node.iter))
    known = items is not None
    element = Unknown(f"an item of {frame.name_of(node.iter)}")
    loop = _begin(frame)
    for condition, value in items if items is not None else [(frame.machine.space.true, element)]:
        before = frame.path
        frame.path = before & condition
        if not frame.path.fails:
            assign(frame, node.target, value)
            _round(frame, loop, node.body)
        frame.path = frame.path | (before & ~condition)
    _end(frame, loop, node, known)


def _while(frame: Frame, node: ast.While) -> None:
    """Run the rounds that are certain; one that hangs on an unknown is run once, and what it changes is unknown after."""
    loop = _begin(frame)
    left = frame.machine.space.false
    for _ in range(MOST_ROUNDS):
        goes_on = truth(frame, frame.evaluate(node.test))
        certain = frame.path.implies(goes_on)
        left = left | (frame.path & ~goes_on)
        frame.path = frame.path & goes_on
        if frame.path.fails:
            break
        _round(frame, loop, node.body)
        if not certain:
            break
    known = frame.path.fails
    frame.path = frame.path | left
    _end(frame, loop, node, known)


def _begin(frame: Frame) -> Loop:
    loop = Loop(frame.machine.space.false, frame.machine.space.false)
    frame.loops.append(loop)
    return loop


def _round(frame: Frame, loop: Loop, body: Sequence[ast.stmt]) -> None:
    execute(frame, body)
    frame.path = frame.path | loop.continued
    loop.continued = frame.machine.space.false


def _end(frame: Frame, loop: Loop, node: ast.For | ast.AsyncFor | ast.While, known: bool) -> None:
    """Leave a loop. The names it assigns are unknown where its rounds were not all seen."""
    frame.loops.pop()
    if not known:
        forget(frame, node)
    execute(frame, node.orelse)
    frame.path = frame.path | loop.broken


def _break(frame: Frame, _: ast.Break) -> None:
    if frame.loops:
        frame.loops[-1].broken = frame.loops[-1].broken | frame.path
    frame.path = frame.machine.space.false


def _continue(frame: Frame, _: ast.Continue) -> None:
    if frame.loops:
        frame.loops[-1].continued = frame.loops[-1].continued | frame.path
    frame.path = frame.machine.space.false


def _return(frame: Frame, node: ast.Return) -> None:
    value = frame.evaluate(node.value) if node.value else None
    frame.returned.append((frame.path, value))
    frame.path = frame.machine.space.false


def _raise(frame: Frame, node: ast.Raise) -> None:
    names = exception_names(frame, node.exc) if node.exc else ("Exception",)
    before = frame.path
    frame.fail(before, *names)
    if frame.called is not None:
        frame.path = frame.machine.space.false


_PARENTS: Final = {
    "ModuleNotFoundError": ("ImportError", "Exception"),
    "ImportError": ("Exception",),
    "FileNotFoundError": ("OSError", "Exception"),
    "NotImplementedError": ("RuntimeError", "Exception"),
    "KeyError": ("LookupError", "Exception"),
    "IndexError": ("LookupError", "Exception"),
}


def exception_names(frame: Frame, node: ast.expr) -> tuple[str, ...]:
    """The name of an exception that is raised, and of the classes that catch it."""
    value = frame.evaluate(node.func if isinstance(node, ast.Call) else node)
    name = frame.machine.describe(value)
    return (name, *_PARENTS.get(name, ("Exception",)), "BaseException")


def _try(frame: Frame, node: ast.Try) -> None:
    """A body holds where nothing it runs raised; each handler where something did."""
    before = frame.path
    attempt = Attempt(_caught(frame, node), frame.attempt, frame.machine.space.false)
    calls = frame.machine.external_calls
    frame.attempt, frame.machine.external_calls = attempt, []
    execute(frame, node.body)
    _external_failure(frame, node, before)
    frame.attempt, frame.machine.external_calls = attempt.outer, calls
    escaped = attempt.escaped & before
    frame.path = frame.path & ~escaped
    execute(frame, node.orelse)
    _branch_out(frame, frame.path, escaped, node.handlers)
    execute(frame, node.finalbody)


def _branch_out(frame: Frame, normal: Condition, escaped: Condition, handlers: list[ast.ExceptHandler]) -> None:
    """Run the handlers, each under what escaped: which of them it would be is decided by the first that can."""
    after, left = normal, escaped
    for i, handler in enumerate(handlers):
        frame.path = left if i == 0 else frame.machine.space.false
        if handler.name and not frame.path.fails:
            frame.scope.bind(handler.name, Unknown(f"{frame.module.name}:{handler.lineno} {handler.name}"), frame.path)
        execute(frame, handler.body)
        after = after | frame.path
    frame.path = after


def _caught(frame: Frame, node: ast.Try) -> frozenset[str] | None:
    """The names of the exceptions the handlers name; none where there is no handler, None where they handle everything."""
    names: set[str] = set()
    for handler in node.handlers:
        if handler.type is None:
            return None
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        names |= {frame.machine.describe(frame.evaluate(kind)) for kind in kinds}
    return None if names & {"BaseException", "Exception"} else frozenset(names)


def _external_failure(frame: Frame, node: ast.Try, before: Condition) -> None:
    """Code that is not read may raise: where a handler is ready for more than a failed import, that is one condition."""
    attempt, calls = frame.attempt, frame.machine.external_calls
    if attempt is None or not calls or not node.handlers:
        return
    if attempt.catches is not None and attempt.catches <= {"ImportError", "ModuleNotFoundError"}:
        return
    succeeds = frame.machine.space.atom(f"{_first_call(frame, node) or calls[0]} succeeds")
    if attempt.escaped.size > FEW_ATOMS:
        # What else it may raise is part of the same question, and would only spell it out.
        frame.path = frame.path | (attempt.escaped & before)
        attempt.escaped = frame.machine.space.false
    attempt.escaped = attempt.escaped | (frame.path & ~succeeds)


def _first_call(frame: Frame, node: ast.Try) -> str | None:
    """The call that a `try` is there for, as it is written."""
    found = (child for statement in node.body for child in ast.walk(statement) if isinstance(child, ast.Call))
    call = next(found, None)
    return frame.name_of(call) if call is not None else None


def _with(frame: Frame, node: ast.With | ast.AsyncWith) -> None:
    before, outer = frame.path, frame.attempt
    for item in node.items:
        value = frame.evaluate(item.context_expr)
        suppressed = _suppressed(frame, item.context_expr)
        if suppressed is not None:
            frame.attempt = Attempt(suppressed, frame.attempt, frame.machine.space.false)
        if item.optional_vars is not None:
            assign(frame, item.optional_vars, _entered(frame, value, node))
    execute(frame, node.body)
    if frame.attempt is not outer and frame.attempt is not None:
        frame.path = frame.path | (frame.attempt.escaped & before)
    frame.attempt = outer


def _suppressed(frame: Frame, node: ast.expr) -> frozenset[str] | None:
    """The exceptions that a `contextlib.suppress(...)` takes; None for any other context."""
    if not isinstance(node, ast.Call) or frame.evaluate(node.func) != External("contextlib.suppress"):
        return None
    names = {frame.machine.describe(frame.evaluate(a)) for a in node.args}
    return frozenset(names)


def _entered(frame: Frame, value: Value, node: ast.With | ast.AsyncWith) -> Value:
    """What `as` binds: the object itself, unless its class says otherwise."""
    if isinstance(value, Instance):
        enter = frame.machine.attribute(frame, value, "__enter__", node.items[0].context_expr)
        return frame.machine.call(frame, enter, Arguments([], {}, node))
    if isinstance(value, ListValue) and value.kind == "generator" and value.items:
        return value.items[0][1]
    return value


def _function(frame: Frame, node: Definition) -> None:
    value: Value = make_function(frame, node, node.name)
    for decorator in reversed(node.decorator_list):
        value = _decorate(frame, decorator, value)
    frame.scope.bind(node.name, value, frame.path)


def _decorate(frame: Frame, node: ast.expr, value: Value) -> Value:
    """Apply one decorator; one whose meaning is not known is taken to give back what it was given."""
    decorator = narrow(frame.evaluate(node), frame.path)
    kind = _KINDS.get(frame.machine.describe(decorator))
    if isinstance(value, FunctionValue) and kind is not None:
        value.kind = kind
        return value
    if isinstance(value, FunctionValue) and isinstance(node, ast.Attribute) and node.attr in ("setter", "deleter"):
        return frame.evaluate(node.value)
    result = frame.machine.call(frame, decorator, Arguments([value], {}, node))
    unchanged = keeps_function(decorator) or isinstance(result, Unknown)
    return value if unchanged else result


_KINDS: Final = {
    "property": "property",
    "functools.cached_property": "property",
    "staticmethod": "staticmethod",
    "classmethod": "classmethod",
}


def _class(frame: Frame, node: ast.ClassDef) -> None:
    value: Value = make_class(frame, node)
    for decorator in reversed(node.decorator_list):
        result = frame.machine.call(
            frame, narrow(frame.evaluate(decorator), frame.path), Arguments([value], {}, decorator)
        )
        value = value if isinstance(result, Unknown) else result
    frame.scope.bind(node.name, value, frame.path)


def _outer(frame: Frame, node: ast.Global | ast.Nonlocal) -> None:
    frame.scope.outer_names.update(node.names)


def _delete(frame: Frame, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name) and frame.path is frame.scope.base:
            frame.scope.names.pop(target.id, None)


def _match(frame: Frame, node: ast.Match) -> None:
    subject, left = frame.evaluate(node.subject), frame.machine.space.true
    branches: list[tuple[Condition, Sequence[ast.stmt]]] = []
    for case in node.cases:
        taken = _pattern(frame, case.pattern, subject)
        if case.guard is not None:
            taken = taken & truth(frame, frame.evaluate(case.guard))
        branches.append((left & taken, case.body))
        left = left & ~taken
    _branch(frame, [*branches, (left, [])])


def _pattern(frame: Frame, pattern: ast.pattern, subject: Value) -> Condition:
    """The condition under which a pattern matches: constants, names and alternatives; one atom for the rest."""
    match pattern:
        case ast.MatchValue(value=value):
            return truth(frame, lift(frame, [subject, frame.evaluate(value)], lambda v: compare(frame, ast.Eq(), *v)))
        case ast.MatchSingleton(value=value):
            return truth(frame, lift(frame, [subject], lambda v: compare(frame, ast.Is(), v[0], value)))
        case ast.MatchOr(patterns=patterns):
            return frame.machine.space.any(_pattern(frame, p, subject) for p in patterns)
        case ast.MatchAs(pattern=inner, name=name):
            if name is not None:
                frame.scope.bind(name, subject, frame.path)
            return frame.machine.space.true if inner is None else _pattern(frame, inner, subject)
        case _:
            return frame.machine.space.atom(f"{frame.module.name}:{pattern.lineno} matches")


_HANDLERS: Final[Mapping[type[ast.stmt], Callable[[Frame, Any], None]]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: import_modules,
    ast.ImportFrom: import_from,
    ast.Global: _outer,
    ast.Nonlocal: _outer,
    ast.Delete: _delete,
    ast.Match: _match,
}

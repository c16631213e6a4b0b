"""The evaluator as a whole: it holds what one symbolic import has found, and ties its parts together."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.finding import Span

from ..summary.source import Source
from . import assignment, attributes, calls, describe, dicts, expressions, statements, truth
from .frame import Frame, Loop
from .functions import is_generator
from .imports import spread_names
from .limits import BOUNDS, HYPOTHETICAL_WORK, STATEMENT_NODES, STATEMENT_WORK, Budget, Total
from .modules import ImportEdge, Layout, Module, Turn
from .outline import Outline, follow
from .parts import is_small
from .scope import Scope, covered, join, narrow
from .state import Effect, State, Unread
from .values import (
    SCALARS,
    Arguments,
    ClassValue,
    EnumMember,
    External,
    FunctionValue,
    Intrinsic,
    ModuleValue,
    Unknown,
    Value,
    is_tuple,
)
from .waiting import Waiting, binds_from_within
from .watching import Watcher


def _is_hashable(value: Value) -> bool:
    known = (*SCALARS, EnumMember, External, FunctionValue, ClassValue, ModuleValue)
    return all(map(_is_hashable, value)) if is_tuple(value) else isinstance(value, known)


_T = TypeVar("_T")


@dataclass(eq=False)
class Machine:
    """One symbolic import of a project."""

    layout: Layout
    sources: Mapping[Path, Source]
    intrinsics: Mapping[str, Intrinsic]
    items: Mapping[str, Callable[[Value], Value]] = field(default_factory=dict[str, Callable[[Value], Value]])
    space: Conditions = field(default_factory=Conditions)
    modules: dict[str, Module] = field(default_factory=dict[str, Module])
    effects: list[Effect] = field(default_factory=list[Effect])
    edges: list[ImportEdge] = field(default_factory=list[ImportEdge])
    unread: list[Unread] = field(default_factory=list[Unread])
    functions: list[FunctionValue] = field(default_factory=list[FunctionValue])
    classes: list[ClassValue] = field(default_factory=list[ClassValue])
    generators: dict[int, bool] = field(default_factory=dict[int, bool])
    external_modules: set[str] = field(default_factory=set[str])
    outlines: Mapping[str, Outline] = field(default_factory=dict[str, Outline])
    text_of: Callable[[str], str] = str
    watcher: Watcher | None = None
    is_closed: bool = False
    concerns: Callable[[FunctionValue | Module], bool] = lambda _: True
    covers: Callable[[Module, ast.stmt | ast.Lambda], bool] = lambda _, __: True
    met: dict[str, Module] = field(default_factory=dict[str, Module])
    failures: dict[str, Condition] = field(default_factory=dict[str, Condition])
    loads: list[tuple[str, str, Condition]] = field(default_factory=list[tuple[str, str, Condition]])
    total: Total = field(default_factory=Total)
    late: Turn = ()
    ticks: Iterator[int] = field(default_factory=count)
    state: State = field(init=False)
    _owners: dict[int, ClassValue] = field(default_factory=dict[int, ClassValue])

    def __post_init__(self) -> None:
        self.state = State(self.total.grant(STATEMENT_WORK))

    @property
    def budget(self) -> Budget:
        """The work left for the present statement."""
        return self.state.budget

    def next_turn(self) -> Turn:
        """The turn of what is registered now, or put off: after all before it, but as a part of what was put off."""
        return (*self.late, next(self.ticks))

    @contextmanager
    def made_up_for(self, turn: Turn | None) -> Generator[None]:
        """Evaluate what was put off when it had its turn, if it was."""
        outer, self.late = self.late, self.late if turn is None else turn
        try:
            yield
        finally:
            self.late = outer

    def load_module(self, name: str) -> Module:
        """The module of this name, imported as if nothing guarded that.

        It is evaluated, unless its outline says that it declares nothing: then only its imports are followed for now.
        """
        module = self.met.get(name)
        if module is None:
            module = self.met[name] = self._new_module(name)
            outline = self.outlines.get(name)
            if outline is None or outline.declares:
                self.evaluate_module(module)
            else:
                follow(self, module, outline)
        return module

    def _new_module(self, name: str) -> Module:
        path = self.layout.files[name]
        scope = Scope(self.space.true, name)
        scope.names.update({"__name__": name, "__file__": Unknown(f"{name}.__file__"), "__doc__": None})
        is_package, fails = self.layout.is_package(name), self.space.false
        return Module(name, is_package, scope, fails, lambda: self.sources[path], self.evaluate_module)

    def evaluate_module(self, module: Module) -> None:
        """Run a module's statements, as long as what they come to can still matter."""
        if self.is_closed:
            return
        outer, self.modules[module.name] = self.state, module
        module.state, module.waiting = "running", self._waiting(module)
        self.total.extend()
        with self.made_up_for(module.turn):
            self._run(module)
        module.state = "done"
        self.state = outer

    def _run(self, module: Module) -> None:
        path = self.space.true
        for statement in module.source.tree.body:
            if module.waiting is not None:
                module.waiting.settle_for(statement)
                if path.holds and module.waiting.take(self, statement):
                    continue
            frame = Frame(self, module, module.scope, path, runner=module.name)
            path = self._run_statement(frame, statement)

    def _waiting(self, module: Module) -> Waiting | None:
        """What is to hold statements of a module until they are asked for; None where all of them have to run."""
        outline = self.outlines.get(module.name)
        has_to_run = self.watcher is not None or outline is None or outline.spells
        return None if has_to_run or binds_from_within(module.source.text) else Waiting(module)

    def owner_of(self, function: FunctionValue) -> ClassValue | None:
        """The class that a function is a method of."""
        for cls in self.classes[len(self._owners) :]:
            self._owners[id(cls.scope)] = cls
        return self._owners.get(id(function.scope))

    @property
    def running(self) -> list[str]:
        """The modules whose import has begun and not ended."""
        return [name for name, module in self.met.items() if module.state in ("new", "running")]

    def _run_statement(self, frame: Frame, statement: ast.stmt) -> Condition:
        """Evaluate one statement of a module. Gives the path after it; one that is given up leaves it as it was."""
        before = frame.path
        self.begin(STATEMENT_WORK)
        self.state.import_of = frame.module.name if isinstance(statement, (ast.Import, ast.ImportFrom)) else None
        try:
            self.execute(frame, [statement])
        except BOUNDS:
            # Whatever the statement was in the middle of is left behind with it.
            frame.path, frame.attempt, frame.loops = before, None, []
            self.begin(STATEMENT_WORK)
            assignment.forget(frame, statement)
            self.give_up(frame, f"{frame.module.name}:{statement.lineno}", statement)
        return frame.path

    def begin(self, work: int) -> None:
        """Begin a piece of evaluation that may take so much work."""
        self.state = State(self.total.grant(work))
        self.space.grant(STATEMENT_NODES)

    def aside(self, evaluate: Callable[[], _T], otherwise: _T) -> _T:
        """What something comes to that is evaluated beside the import, which is over; `otherwise` where it is too much.

        A call in it is not given up by itself. The conditions are left to be joined again.
        """
        self.begin(HYPOTHETICAL_WORK)
        self.state.guarded = True
        try:
            return evaluate()
        except BOUNDS:
            return otherwise
        finally:
            self.space.release()

    def is_generator(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
        """Whether a function's body yields, found once for each."""
        if id(node) not in self.generators:
            self.generators[id(node)] = is_generator(node)
        return self.generators[id(node)]

    def nested(self, frame: Frame, label: str) -> Frame:
        """A frame inside another for a comprehension: names of its own, everything else shared."""
        scope = Scope(frame.path, label, frame.scope, is_inner=True)
        loop = Loop(self.space.false, self.space.false, frame.in_open_loop)
        return replace(frame, scope=scope, loops=[*frame.loops, loop])

    def emit(self, frame: Frame, record: object, span: Span) -> None:
        """Put on record what a statement registers, under the present condition."""
        place = self.place(frame, span)
        self.effects.append(Effect(record, frame.runner, frame.path, place, self.next_turn(), frame.hypothetical))

    def place(self, frame: Frame, span: Span) -> Span:
        """Where what is written at `span` is said to stand.

        What a helper does is where the helper is called, or at a part of that: it is what its user wrote.
        """
        called_at = self.called_at if frame.called is not None else None
        return span if called_at is None or called_at.holds(span) else called_at

    @property
    def called_at(self) -> Span | None:
        """Where the call stands that a module's own body makes, and that is being evaluated."""
        return self.state.site and self.state.site[0].source.span(self.state.site[1])

    def give_up(self, frame: Frame, text: str, node: ast.expr | ast.stmt) -> None:
        """Put on record that a call was not read to its end."""
        self.unread.append(Unread(text, frame.path, frame.span(node), frame.runner, node, frame.module))

    def add_edge(self, frame: Frame, imported: str) -> None:
        """Put on record that the present module imports another here."""
        is_plain = self.state.import_of == frame.runner and frame.path.holds
        self.edges.append(ImportEdge(frame.runner, imported, frame.path, is_plain))

    def load_compiled(self, frame: Frame, name: str) -> None:
        """Put on record that compiled code runs, which may register ops."""
        self.loads.append((frame.runner, name, frame.path))

    def load_missing(self, frame: Frame, name: str) -> None:
        """Put on record that a module of the project is imported which has no file: a compiled one, most likely."""
        self.loads.append((frame.runner, name, frame.path))

    def lookup(self, frame: Frame, name: str) -> Value:
        """The value of a name."""
        scope = frame.scope.find(name) or (frame.module.scope if name in frame.module.scope.names else None)
        if scope is not None:
            return narrow(scope.names[name], frame.path)
        builtin = self.intrinsics.get(f"builtins.{name}")
        if builtin is not None:
            return builtin
        spread = spread_names(frame, name)
        return External(name) if spread is None else spread

    def intrinsic(self, path: str) -> Intrinsic | None:
        """The meaning opcheck gives to calling what `path` names, if it gives any."""
        return self.intrinsics.get(path)

    def external_item(self, frame: Frame, base: Value, index: Value) -> Value:
        """An item of something that is not read."""
        text = self.describe(base)
        known = self.items.get(text)
        return known(index) if known else Unknown(f"{text}[{self.describe(index)}]")

    def hashable(self, value: Value) -> Value:
        """The value as a dictionary key; None for what cannot be one, or is not known."""
        return value if is_small(value) and _is_hashable(value) else None

    def has_key(self, entries: Mapping[Value, Value], key: Value) -> Condition:
        """The condition under which a dictionary has a key."""
        return covered(entries[key], self.space.true) if key in entries else self.space.false

    def join(self, frame: Frame, chosen: list[tuple[Condition, Value]], node: ast.expr) -> Value:
        """The value of an expression that is one of several, each under its condition."""
        if len(chosen) == 1:
            return chosen[0][1]
        return join(chosen, lambda: self.describe_node(frame, node))

    def describe_call(self, callee: str, arguments: Arguments) -> str:
        """A call in words."""
        return describe.describe_call(callee, arguments.positional, arguments.keywords)

    evaluate = staticmethod(expressions.evaluate)
    execute = staticmethod(statements.execute)
    truth = staticmethod(truth.truth)
    call = staticmethod(calls.call)
    attribute = staticmethod(attributes.attribute)
    assign = staticmethod(assignment.assign)
    store = staticmethod(dicts.store)
    describe_node = staticmethod(describe.describe_node)
    describe = staticmethod(describe.describe)

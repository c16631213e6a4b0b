"""Kernels that refuse the tensors of a backend they were registered for."""

from __future__ import annotations

import ast
from enum import Enum
from functools import lru_cache
from typing import Final

from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Stub

from ..summary.nodes import walk
from ..symbolic.values import External, FunctionValue, Partial, Value
from .bodies import raised_by, stub_of
from .guards import Meaning, On, Scene, Seen

_CHECKS: Final = {"torch._check": "RuntimeError", "torch._check_value": "ValueError", "torch._check_type": "TypeError"}
_MOST_DEPTH: Final = 2
_TENSORS: Final = frozenset({"Tensor", "FloatArray", "IntArray", "BoolArray", "Array", "ndarray", "NDArray"})


class _Flow(Enum):
    """How a body goes on: past its end, or in a way that is not known, a return among them."""

    ON = "on"
    LEFT = "left"


def stub_for(kernel: Value, backend: str | None) -> Stub | None:
    """The kernel as a stub: where it only raises, or where it refuses `backend`."""
    return stub_of(kernel) or (refusal_of(kernel, backend) if backend is not None else None)


def refusal_of(kernel: Value, backend: str) -> Stub | None:
    """Where the kernel raises for every tensor of `backend`, and only because of where the tensor is."""
    while isinstance(kernel, Partial) and not kernel.positional:
        kernel = kernel.function
    if not isinstance(kernel, FunctionValue) or not _asks(kernel):
        return None
    found = _walk_call(kernel, On(backend))
    return found if found is not None and _walk_call(kernel, On(None)) is None else None


@lru_cache(maxsize=1024)
def _asks(kernel: FunctionValue) -> bool:
    """Whether what a kernel does can hang on the backend: one that does not ask on one asks on none."""
    on = On("cpu")
    _walk_call(kernel, on)
    return on.asked


def _walk_call(kernel: FunctionValue, on: On) -> Stub | None:
    scene = Scene(kernel, on, dict.fromkeys(_local_names(kernel)))
    chosen = _chosen_by(kernel)
    if chosen is not None:
        scene.names[chosen] = Seen.TENSOR
    return _Walk(scene).refuses()


def _chosen_by(kernel: FunctionValue) -> str | None:
    """The first tensor: it is on the backend for certain. Another one may be elsewhere, as an index on the host."""
    parameters = _parameters(kernel)
    for place, parameter in enumerate(parameters):
        if _last_name(parameter.annotation) in _TENSORS or (parameter.annotation is None and place == 0):
            return parameter.arg
    return None


def _parameters(function: FunctionValue) -> list[ast.arg]:
    spec = function.node.args
    return [*spec.posonlyargs, *spec.args]


def _last_name(node: ast.expr | None) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text.rpartition(".")[2]
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def _local_names(function: FunctionValue) -> frozenset[str]:
    spec = function.node.args
    args = [*_parameters(function), *spec.kwonlyargs, *filter(None, (spec.vararg, spec.kwarg))]
    return _stored(function.node).union(arg.arg for arg in args)


@lru_cache(maxsize=4096)
def _stored(node: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in walk([node]) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


class _Walk:
    """One body, followed statement by statement as a call would."""

    def __init__(self, scene: Scene, depth: int = 0) -> None:
        self.scene = scene
        self.depth = depth

    def refuses(self) -> Stub | None:
        """Where the body raises for certain."""
        node = self.scene.function.node
        if not isinstance(node, ast.FunctionDef):
            return None
        found = self._body(node.body)
        return found if isinstance(found, Stub) else None

    def _body(self, body: list[ast.stmt]) -> Stub | _Flow:
        for statement in body:
            found = self._statement(statement)
            if found is not _Flow.ON:
                return found
        return _Flow.ON

    def _statement(self, statement: ast.stmt) -> Stub | _Flow:
        match statement:
            case ast.Raise():
                return self._stub(statement, raised_by(statement))
            case ast.Assert():
                return self._asserted(statement)
            case ast.If(test=test, body=body, orelse=orelse):
                return self._branch(self.scene.truth(test), body, orelse)
            case ast.Return(value=value):
                return (self._call(value) if value is not None else None) or _Flow.LEFT
            case ast.Expr(value=value):
                return self._call(value) or _Flow.ON
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                return self._assigned(statement)
            case ast.With(items=items, body=body) if not any("suppress" in ast.unparse(i) for i in items):
                self._forget(statement)
                return self._body(body)
            case ast.Pass() | ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.ClassDef() | ast.Delete():
                return _Flow.ON
            case _:
                # A loop may not run, a `try` may handle what is raised in it.
                return self._passed_by(statement)

    def _stub(self, statement: ast.stmt, raises: PredictedError) -> Stub:
        return Stub(self.scene.function.module.source.span(statement), raises, refuses=True)

    def _asserted(self, statement: ast.Assert) -> Stub | _Flow:
        if self.scene.truth(statement.test) is not False:
            return _Flow.ON
        says = statement.msg.value if isinstance(statement.msg, ast.Constant) else ""
        return self._stub(statement, PredictedError("call", "AssertionError", str(says)))

    def _branch(self, answer: bool | None, body: list[ast.stmt], orelse: list[ast.stmt]) -> Stub | _Flow:
        if answer is not None:
            return self._body(body if answer else orelse)
        before = dict(self.scene.names)
        one, after_one = self._body(body), self.scene.names
        self.scene.names = before
        other, after_other = self._body(orelse), self.scene.names
        if isinstance(one, Stub):
            return other
        if isinstance(other, Stub):
            self.scene.names = after_one
            return one
        self.scene.names = {n: m if after_other[n] == m else None for n, m in after_one.items()}
        return _Flow.LEFT if _Flow.LEFT in (one, other) else _Flow.ON

    def _assigned(self, statement: ast.Assign | ast.AnnAssign | ast.AugAssign) -> Stub | _Flow:
        found = self._call(statement.value) if statement.value is not None else None
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        plain = isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None
        meaning = self.scene.meaning(statement.value) if plain and statement.value is not None else None
        self._forget(statement)
        if isinstance(targets[0], ast.Name) and len(targets) == 1:
            self.scene.names[targets[0].id] = meaning
        return found or _Flow.ON

    def _passed_by(self, statement: ast.stmt) -> _Flow:
        self._forget(statement)
        return _Flow.LEFT if any(isinstance(n, ast.Return) for n in walk([statement])) else _Flow.ON

    def _forget(self, statement: ast.stmt) -> None:
        """Know nothing any more of the names that a statement may bind."""
        self.scene.names.update(dict.fromkeys(_stored(statement)))

    def _call(self, node: ast.expr) -> Stub | None:
        """Where a call raises for certain: a check of the framework's, or a function of the project's."""
        if not isinstance(node, ast.Call):
            return None
        called = self.scene.resolved(node.func)
        if isinstance(called, External) and called.path in _CHECKS and node.args:
            return self._checked(node, _CHECKS[called.path])
        return self._helper(called, node) if isinstance(called, FunctionValue) else None

    def _checked(self, node: ast.Call, error: str) -> Stub | None:
        if self.scene.truth(node.args[0]) is not False:
            return None
        span = self.scene.function.module.source.span(node)
        return Stub(span, PredictedError("call", error, _said(node)), refuses=True)

    def _helper(self, function: FunctionValue, node: ast.Call) -> Stub | None:
        if self.depth == _MOST_DEPTH or any(isinstance(a, ast.Starred) for a in node.args):
            return None
        names: dict[str, Meaning] = dict.fromkeys(_local_names(function))
        for parameter, argument in zip(_parameters(function), node.args, strict=False):
            names[parameter.arg] = self.scene.meaning(argument)
        for keyword in node.keywords:
            if keyword.arg in names:
                names[keyword.arg] = self.scene.meaning(keyword.value)
        return _Walk(Scene(function, self.scene.on, names), self.depth + 1).refuses()


def _said(node: ast.Call) -> str:
    """What a check says: its message is given by a function."""
    message = node.args[1].body if len(node.args) > 1 and isinstance(node.args[1], ast.Lambda) else None
    return str(message.value) if isinstance(message, ast.Constant) else ""

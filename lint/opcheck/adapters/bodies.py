"""What a kernel's body says without being run: that it is empty, that it only raises."""

from __future__ import annotations

import ast

from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Stub

from ..symbolic.values import FunctionValue, Partial, Value


def statements_of(function: FunctionValue) -> list[ast.stmt]:
    """The statements of a body past its docstring, without those that do nothing."""
    if isinstance(function.node, ast.Lambda):
        return [ast.Return(function.node.body)]
    return [statement for statement in function.node.body if not _is_idle(statement)]


def _is_idle(statement: ast.stmt) -> bool:
    if isinstance(statement, (ast.Pass, ast.Import, ast.ImportFrom)):
        return True
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def does_nothing(function: FunctionValue) -> bool:
    """Whether a body is `...`, `pass`, a docstring or a bare return: one that other kernels are to fill in."""
    return all(
        isinstance(s, ast.Return) and (s.value is None or _is_none(s.value)) for s in statements_of(function)
    ) and not _imports(function)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _imports(function: FunctionValue) -> bool:
    body = [] if isinstance(function.node, ast.Lambda) else function.node.body
    return any(isinstance(s, (ast.Import, ast.ImportFrom)) for s in body)


def stub_of(value: Value) -> Stub | None:
    """The kernel as a stub, where its body does nothing but raise."""
    while isinstance(value, Partial):
        value = value.function
    if not isinstance(value, FunctionValue):
        return None
    body = statements_of(value)
    if not body or not isinstance(body[0], ast.Raise) or body[0].exc is None:
        return None
    return Stub(value.module.source.span(body[0]), raised_by(body[0]))


def raised_by(statement: ast.Raise) -> PredictedError:
    """What a `raise` statement raises: its class, and its message up to the first part that is not literal."""
    exception = statement.exc
    kind = exception.func if isinstance(exception, ast.Call) else exception
    name = ast.unparse(kind) if kind is not None else "Exception"
    arguments = exception.args if isinstance(exception, ast.Call) else []
    return PredictedError("call", name.rpartition(".")[2], _literal(arguments[0]) if arguments else "")


def _literal(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            return text
        case ast.BinOp(left=left):
            return _literal(left)
        case _:
            return ""

"""A registration that has to go: the function that it decorates goes with it, where nothing else wants that."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Final

from opcheck_rules.model.finding import Edit, Finding, Span

from .code import Code, Function

_BLOCKS: Final = (ast.Module, ast.If, ast.Try, ast.With)


def remove_registration(finding: Finding, code: Code) -> Sequence[Edit]:
    """Remove the statement that registers, with the comments above it.

    Of a function that has more decorators, or whose name the file has elsewhere, only the decorator goes.
    """
    decorated = code.decorated(finding.primary)
    statement = decorated[0] if decorated else _call(code, finding.primary)
    if statement is None or not _runs_once(code, statement) or not code.is_alone(statement):
        return ()
    if decorated and _is_wanted(code, decorated[0]):
        decorator = decorated[1]
        return [code.without(decorator.lineno, decorator.end_lineno or decorator.lineno)]
    return [_removed(code, statement)]


def _call(code: Code, place: Span) -> ast.Expr | None:
    """The statement that is nothing but the call at a place, or but a call with the argument there."""
    node = code.node(place)
    statement = next((around for around in (node, *code.around(node)) if isinstance(around, ast.stmt)), None)
    if not isinstance(statement, ast.Expr):
        return None
    call = statement.value
    while isinstance(call, ast.Call) and node not in (statement, *call.args, *(word.value for word in call.keywords)):
        call = call.func
    return statement if isinstance(call, ast.Call) else None


def _runs_once(code: Code, statement: ast.stmt) -> bool:
    """Whether a statement runs at most once: in a loop or a function it may be right for other ops."""
    return all(isinstance(node, _BLOCKS) for node in code.around(statement))


def _is_wanted(code: Code, function: Function) -> bool:
    mentions = len(re.findall(rf"\b{re.escape(function.name)}\b", code.document.text))
    return len(function.decorator_list) > 1 or (function.name != "_" and mentions > 1)


def _removed(code: Code, statement: ast.stmt) -> Edit:
    """Remove whole lines, with the blank ones too many then; a block is not left without a statement."""
    first, last = code.lines(statement)
    while _is_comment_above(code, first):
        first -= 1
    if len(code.block(statement)) == 1 and not isinstance(code.around(statement)[0], ast.Module):
        return code.without(first, last, f"{code.margin(statement)}pass\n")
    above = _blanks(code, range(first - 1, 0, -1))
    below = _blanks(code, range(last + 1, len(code.document.starts) + 1))
    _, end = code.document.lines(first, last + below)
    if end == len(code.document.text):
        return code.without(first - above, last + below)
    return code.without(first, last + min(above, below))


def _blanks(code: Code, numbers: Iterable[int]) -> int:
    """How many of these lines are blank before the first that is not."""
    return sum(1 for _ in takewhile(lambda number: code.line(number).isspace(), numbers))


def _is_comment_above(code: Code, number: int) -> bool:
    """Whether the line above one is a comment at its margin, which no form feed adds to."""
    line, above = (code.line(each).lstrip("\f") for each in (number, number - 1))
    margin = line[: len(line) - len(line.lstrip())]
    return above.startswith(f"{margin}#")

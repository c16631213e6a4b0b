"""Python in a syntax newer than the running interpreter's, put into words it knows.

What is rewritten means the same to a reader of declarations, and every line stays where it is. libcst reads the newer
grammar on any interpreter; it is ten times slower than `ast`, and so is only asked where `ast` has given up.
"""

from __future__ import annotations

import re
from typing import Final, Protocol, cast

import libcst as cst

LARGEST_REWRITE: Final = 1024 * 1024
"""Characters. A larger file is left as it was found: unreadable here."""
LONGEST_LINE: Final = 2_000
"""Characters. One line of operators can nest as deep as it is long."""
DEEPEST_NESTING: Final = 100
"""Brackets that are open at once."""
_BRACKET: Final = re.compile(r"[()\[\]{}]")


def in_older_syntax(text: str) -> str | None:
    """The same module in Python 3.11's syntax; None where it is no Python at all, or too large to be worth it."""
    if len(text) > LARGEST_REWRITE or not _is_shallow(text):
        return None
    try:
        return cst.parse_module(text).visit(_Older()).code
    except (cst.ParserSyntaxError, cst.CSTValidationError, RecursionError, UnicodeError):
        return None


def _is_shallow(text: str) -> bool:
    """Whether a text nests no deeper than people do: libcst's parser would take all of the stack, and the process."""
    if max(map(len, text.splitlines()), default=0) > LONGEST_LINE:
        return False
    depth = deepest = 0
    for bracket in _BRACKET.findall(text):
        depth += 1 if bracket in "([{" else -1
        deepest = max(deepest, depth)
    return deepest <= DEEPEST_NESTING


class _Alias(Protocol):
    """The parts of libcst's `TypeAlias`, whose name type checkers take for that of `typing`."""

    name: cst.Name
    value: cst.BaseExpression
    semicolon: cst.Semicolon | cst.MaybeSentinel


class _Older(cst.CSTTransformer):
    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        """`def f[T](x)`: type parameters are for type checkers."""
        return updated_node.with_changes(type_parameters=None)

    def leave_ClassDef(self, original_node: cst.ClassDef, updated_node: cst.ClassDef) -> cst.ClassDef:
        """`class C[T]`."""
        return updated_node.with_changes(type_parameters=None)

    def leave_TypeAlias(
        self, original_node: cst.BaseSmallStatement, updated_node: cst.BaseSmallStatement
    ) -> cst.Assign:
        """`type X = int`: its value is evaluated only when it is asked for, and names type parameters."""
        alias = cast("_Alias", updated_node)
        deferred = cst.Lambda(cst.Parameters(), alias.value)
        return cst.Assign([cst.AssignTarget(alias.name)], deferred, alias.semicolon)

    def leave_ExceptHandler(
        self, original_node: cst.ExceptHandler, updated_node: cst.ExceptHandler
    ) -> cst.ExceptHandler:
        """`except A, B:`: the parentheses used to be required."""
        kinds = updated_node.type
        if not isinstance(kinds, cst.Tuple) or kinds.lpar:
            return updated_node
        return updated_node.with_changes(type=kinds.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]))

    def leave_FormattedString(
        self, original_node: cst.FormattedString, updated_node: cst.FormattedString
    ) -> cst.BaseExpression:
        """An f-string may hold any expression, its own quotes included: written as the concatenation it stands for."""
        prefix = updated_node.start.rstrip("'\"").lower().replace("f", "")
        quotes = updated_node.end
        parts = [_part(part, prefix, quotes) for part in updated_node.parts]
        result: cst.BaseExpression = cst.SimpleString(f"{quotes}{quotes}")
        for part in parts:
            result = cst.BinaryOperation(result, cst.Add(), part)
        return result.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _part(part: cst.BaseFormattedStringContent, prefix: str, quotes: str) -> cst.BaseExpression:
    if isinstance(part, cst.FormattedStringText):
        text = part.value.replace("{{", "{").replace("}}", "}")
        return cst.SimpleString(f"{prefix}{quotes}{text}{quotes}")
    expression = cst.ensure_type(part, cst.FormattedStringExpression).expression
    return cst.Call(cst.Name("str"), [cst.Arg(expression)])

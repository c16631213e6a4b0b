"""A derivative that a native op lacks: declared, with a rule for its author to write.

Until that is done the rule raises, and opcheck has nothing more to say of it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from opcheck_rules.model.finding import Edit, Finding

from .code import Code, Function


def write_rule(finding: Finding, code: Code) -> Sequence[Edit]:
    """Write the head of the rule below the op."""
    decorated = code.decorated(finding.primary)
    return _rule(code, decorated[0]) if decorated else ()


def declare_derivative(finding: Finding, code: Code) -> Sequence[Edit]:
    """Declare the derivative, and write the head of its rule where the file has none."""
    function = code.defined(finding.primary)
    if function is None or finding.framework != "native":
        return ()
    declared = _declaration(code, function)
    if re.search(rf"\b{function.name}\.vjp\b", code.document.text):
        return declared
    rule = _rule(code, function)
    return [*declared, *rule] if declared and rule else ()


def _declaration(code: Code, function: Function) -> Sequence[Edit]:
    """The derivative declared: beside the backends, or where it is ruled out."""
    calls = (node for node in function.decorator_list if isinstance(node, ast.Call))
    match {word.arg: word for call in calls for word in call.keywords}:
        case {"autodiff": ast.keyword(value=ast.Constant(value=False) as ruled_out)}:
            return [code.document.edit(*code.extent(ruled_out), "True")]
        case {"autodiff": _}:
            return ()
        case {"backends": listing}:
            return [code.beside(code.extent(listing), "autodiff=True")]
        case _:
            return ()


def _rule(code: Code, function: Function) -> Sequence[Edit]:
    """The head of a rule on the lines below a function, as far in as that."""
    taken = function.args
    parameters = ["grad", "out", *(each.arg for each in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs))]
    if taken.vararg or taken.kwarg or len(parameters) > len(set(parameters)):
        return ()
    margin, inner = code.margin(function), code.margin(function.body[0])
    body = inner if inner.isspace() else f"{margin}    "
    lines = (
        *([""] if margin else ["", ""]),
        f"{margin}@{function.name}.vjp",
        f"{margin}def _({', '.join(parameters)}):",
        f'{body}raise NotImplementedError("the derivative of `{function.name}`")',
    )
    return [code.below(function, "".join(f"{line}\n" for line in lines))]

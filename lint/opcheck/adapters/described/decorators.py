"""What the decorators of a function say of it, by their names alone."""

from __future__ import annotations

import ast
from typing import Final

_ABSTRACT: Final = frozenset({"abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"})


def decorators(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> frozenset[str]:
    """The last names of what a function is decorated with."""
    written = [] if isinstance(function, ast.Lambda) else function.decorator_list
    return frozenset(ast.unparse(node).rpartition(".")[2] for node in written)


def is_abstract(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
    """Whether a method has to be overridden before an object can be made."""
    return not _ABSTRACT.isdisjoint(decorators(function))

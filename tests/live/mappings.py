"""Which kinds of array the functions of xarray-spatial really serve, told from its sources apart from opcheck.

The package needs a newer Python than opcheck does, and numba; its sources need neither. What a keyword of a mapping
holds is followed through `partial` and `lambda` to the name of a function, and those that can only raise are known.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

_MAPPING = "ArrayTypeFunctionMapping"
_KEYWORDS = {"numpy_func": "numpy", "cupy_func": "cupy", "dask_func": "dask+numpy", "dask_cupy_func": "dask+cupy"}


def served(package: Path) -> dict[str, dict[str, bool]]:
    """For each function with a mapping, whether every mapping in it has something for a backend that can return."""
    paths = [path for path in package.rglob("*.py") if "tests" not in path.parts]
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    raising = {function.name for tree in trees.values() for function in _functions(tree) if _only_raises(function)}
    found: defaultdict[str, dict[str, bool]] = defaultdict(lambda: dict.fromkeys(_KEYWORDS.values(), True))
    for path, tree in trees.items():
        module = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        for name, call in _calls(tree):
            for keyword in call.keywords:
                if _held(keyword.value) in raising:
                    found[f"{module}.{name}"][_KEYWORDS[str(keyword.arg)]] = False
                found[f"{module}.{name}"]
    return dict(found)


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _only_raises(function: ast.FunctionDef) -> bool:
    returns = any(isinstance(node, (ast.Return, ast.Yield)) for node in ast.walk(function))
    return isinstance(function.body[-1], ast.Raise) and not returns


def _calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Each call of the mapping with the name of the function it stands in."""
    for function in _functions(tree):
        for node in ast.walk(function):
            match node:
                case ast.Call(func=ast.Name(id=name)) if name == _MAPPING:
                    yield function.name, node
                case _:
                    pass


def _held(value: ast.expr) -> str:
    """The name of the function that a value comes to."""
    match value:
        case ast.Name(id=name):
            return name
        case ast.Call(args=[function, *_]) | ast.Lambda(body=ast.Call(func=function)):
            return _held(function)
        case _:
            raise AssertionError(ast.unparse(value))

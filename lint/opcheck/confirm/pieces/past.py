"""Importing a module past statements that raise."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any


def pass_over(faults: Mapping[str, Sequence[int]]) -> None:
    """From now on import files past the statements on these of their lines, each of which is a fault of its own."""
    load = SourceFileLoader.get_code

    def is_fault(node: ast.stmt, lines: Sequence[int]) -> bool:
        """Whether a line is of the statement itself: of a definition its decorators and signature, not its body."""
        body = getattr(node, "body", None)
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
        return any(first <= line <= max(last, node.lineno) for line in lines)

    def tolerant(body: list[Any], lines: Sequence[int]) -> list[Any]:
        return [handled(node) if is_fault(node, lines) else searched(node, lines) for node in body]

    def handled(node: ast.stmt) -> ast.stmt:
        passing = ast.parse("try: pass\nexcept Exception: pass").body[0]
        assert isinstance(passing, ast.Try)
        passing.body = [node]
        return ast.fix_missing_locations(passing)

    def searched(node: Any, lines: Sequence[int]) -> Any:
        for name in ("body", "orelse", "finalbody"):
            setattr(node, name, tolerant(getattr(node, name, []), lines))
        node.handlers = [searched(handler, lines) for handler in getattr(node, "handlers", [])]
        return node

    def get_code(loader: Any, name: str) -> CodeType | None:
        path = loader.get_filename(name)
        if path not in faults:
            return load(loader, name)
        tree = ast.parse(loader.get_data(path))
        return compile(searched(tree, faults[path]), path, "exec")

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]

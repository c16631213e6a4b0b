"""Ask this machine what guards ask: `python ask.py QUESTIONS RESULT`.

QUESTIONS is a JSON document of `roots`, folders to import from, and `subjects`, resolved expressions and facts of a
known kind. RESULT becomes one too: the answers by subject, where there is one.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

_KINDS: Final = ("feature", "called", "built")


def answers(subjects: Iterable[str]) -> dict[str, Any]:
    """What each subject is worth here; without those that have no plain value, or cannot be asked."""
    found: dict[str, Any] = {}
    for subject in subjects:
        with suppress(Exception, SystemExit):
            found[subject] = _answer(subject)
    return found


def _answer(subject: str) -> Any:
    kind, _, name = subject.partition(":")
    if kind in _KINDS:
        raise LookupError(subject)
    if kind == "installed":
        return _can_import(name)
    if kind == "env":
        return name in os.environ
    value = _value(ast.parse(subject, mode="eval"))
    if isinstance(value, tuple):
        return [part for part in cast("tuple[object, ...]", value) if isinstance(part, int)]
    return value if value is None or isinstance(value, (bool, int, float, str)) else bool(value)


def _can_import(name: str) -> bool:
    try:
        import_module(name)
    except Exception:
        return False
    return True


def _value(tree: ast.Expression) -> Any:
    """Evaluate an expression whose names are modules, or stand in modules, that are imported for it."""
    names: dict[str, Any] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)):
            dotted = ast.unparse(node)
            with suppress(ImportError):
                import_module(dotted)
            with suppress(ImportError):
                names[dotted.partition(".")[0]] = import_module(dotted.partition(".")[0])
    return eval(compile(tree, "<guard>", "eval"), names)


def main(questions: str, result: str) -> None:
    """Answer what a file asks, into another."""
    asked = json.loads(Path(questions).read_text(encoding="utf-8"))
    sys.path[:1] = asked["roots"]
    Path(result).write_text(json.dumps(answers(asked["subjects"])), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

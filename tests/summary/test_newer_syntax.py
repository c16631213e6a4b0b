"""Files written for a newer Python are read on an older one, with every line where it was."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from opcheck.summary.newer import LARGEST_REWRITE, in_older_syntax
from opcheck.summary.source import UnreadableError, parse_source


def _evaluated(source: str, name: str, **given: object) -> object:
    older = in_older_syntax(source)
    assert older is not None
    namespace: dict[str, object] = dict(given)
    exec(compile(ast.parse(older, feature_version=(3, 11)), "older", "exec"), namespace)
    return namespace[name]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("def first[T: int, *Ts, **P](x: T) -> T:\n    return x\n", "first"),
        ("class Box[T = int](list): pass\n", "Box"),
        ("type Names[T] = list[T]; y = 1\n", "y"),
        ("try:\n    x = 1\nexcept KeyError, ValueError:\n    pass\n", "x"),
        ("try:\n    x = 1\nexcept (KeyError, ValueError):\n    pass\nexcept OSError:\n    pass\n", "x"),
    ],
)
def test_what_newer_versions_added_is_read(source: str, name: str) -> None:
    assert _evaluated(source, name) is not None


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("f'{names['a']}-{{x}}'", "op-{x}"),
        ("f'{'\\n'.join(['a', 'b'])}'", "a\nb"),
        ("rf'\\d{names['a']}'", "\\dop"),
        ("f''", ""),
        ("f'''one\n{names['a']}\ntwo'''", "one\nop\ntwo"),
    ],
)
def test_an_f_string_may_hold_its_own_quotes(literal: str, value: str) -> None:
    assert _evaluated(f"x = {literal}\n", "x", names={"a": "op"}) == value


def test_lines_stay_where_they_are() -> None:
    source = "type A = int\n\n\ndef f[T](): ...\n\nx = f'''a\n{d['k']}\nb'''\nlast = 1\n"
    older = in_older_syntax(source)
    assert older is not None
    assert [n.lineno for n in ast.parse(older).body] == [1, 4, 6, 9]


@pytest.mark.parametrize("source", ["def f(:\n", "x = (\n", "#" * (LARGEST_REWRITE + 1)])
def test_what_is_no_python_or_too_large_stays_unreadable(source: str) -> None:
    assert in_older_syntax(source) is None


def test_a_file_in_newer_syntax_is_parsed(tmp_path: Path) -> None:
    source = parse_source(tmp_path / "a.py", "def f[T](x: T) -> T:\n    return f'{d['k']}'\n")
    assert isinstance(source.tree.body[0], ast.FunctionDef)


def test_a_fault_is_reported_where_the_interpreter_sees_it(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError) as caught:
        parse_source(tmp_path / "a.py", "x = 1\ndef f(:\n")
    assert (caught.value.fact.span.line, caught.value.fact.span.column) == (2, 7)

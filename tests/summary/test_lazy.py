"""Trees whose functions are parsed when something asks for them: what they say is what parsing all at once says."""

from __future__ import annotations

import ast
import sysconfig
import textwrap
import tokenize
import warnings
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opcheck.summary.lazy import unparsed
from opcheck.summary.nodes import walk
from opcheck.summary.skeleton import lazily_parsed
from opcheck.summary.source import parse_source
from opcheck.summary.sources import Sources
from opcheck_rules.model.project import Unreadable

LONG = "\n".join(f"value_{i} = {i}" for i in range(12))
"""A body that is worth setting aside."""
LAZY = ("LazyFunctionDef", "LazyAsyncFunctionDef")


def _body(indent: str = "    ", end: str = "return value_1\n") -> str:
    return textwrap.indent(f"{LONG}\n{end}", indent)


def _parsed(text: str) -> list[ast.stmt]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text).body


def _dumped(nodes: Iterable[ast.AST]) -> list[str]:
    """What some trees hold, places included. The ends of what holds others are told before those are asked for."""
    nodes = list(nodes)
    ends = [f"{getattr(node, 'end_lineno', 0)}:{getattr(node, 'end_col_offset', 0)}" for node in nodes]
    return [*ends, *(ast.dump(node, include_attributes=True).replace("Lazy", "") for node in nodes)]


def _lazily(text: str) -> list[ast.stmt]:
    found = lazily_parsed(text, lambda: pytest.fail("it can be parsed in parts"))
    assert found is not None
    return found


def _set_aside(statements: Iterable[ast.AST]) -> list[str]:
    """The functions that were not parsed yet; none is parsed by asking."""
    waiting, found = list(statements), list[str]()
    while waiting:
        node = waiting.pop(0)
        if unparsed(node) is None:
            waiting += ast.iter_child_nodes(node)
        else:
            found.append(str(vars(node)["name"]))
    return sorted(found)


TOLD = [
    ("def f(a, *, b=1) -> int:\n" + _body(), ["f"]),
    ("@d(\n  1\n)\nasync def f():\n" + _body() + "\n\n# after\nx = 1\n", ["f"]),
    ("class A:\n    x = 1\n    def f(self):\n" + _body(" " * 8) + "\n    y = 2\n", ["f"]),
    ("class A:\n    def f(self):\n" + _body(" " * 8) + "\n    # at the end\n\n\n", ["f"]),
    ("if a:\n  def f():\n" + _body() + "else:\n  def g():\n" + _body("   ") + "z = 1\n", ["f", "g"]),
    ("try:\n  pass\nexcept E:\n  def f():\n" + _body() + "finally:\n  def g():\n" + _body(), ["f", "g"]),
    ("match a:\n  case 1:\n    def f():\n" + _body(" " * 6), ["f"]),
    ("def f(\n    a=(1, [2]),\n    # a comment (\n):\n" + _body(), ["f"]),
    ("def f():\n    def g():\n" + _body(" " * 8) + "    return g\n", ["f"]),
    ("def f():\n" + _body(end="return (\n  1,\n)\n"), ["f"]),
    ("def f():\n" + _body(end="return 'é'\n"), ["f"]),
    ("def f():\n" + _body(end="return 1  # a comment\n"), ["f"]),
    ("def f():\n" + _body(end="return 1\n# a comment\n    # it's another\n"), ["f"]),
    ("def f():\n" + _body(end="return 1;\n"), []),
    ("def f():\n" + _body() + '    x = """\nat the margin\n"""\n', ["f"]),
    ("def f():\n" + _body() + "    x = (\n1\n)\n", []),
    ("def f():\n" + _body().replace("value_3 = 3", "value_3 = 3\n\n# at the margin\n\t\n"), ["f"]),
    ("def f():\n" + _body().replace("value_3 = 3", 'x = """\ndef g():\n"""'), ["f"]),
    ('x = """\ndef f():\n' + _body() + '"""\n', []),
    ("def f():\n\tif x:\n" + _body("\t\t") + "\n\tz = 1\nw = 2\n", ["f"]),
    ("class A:\n\tdef f():\n" + _body("\t\t") + "\ty = 2\n", ["f"]),
    ("def f(): pass\ndef g():\n    return 1\n", []),
    ("x = 1\r\ndef f():\r\n" + _body().replace("\n", "\r\n") + "y = 2\r\n", ["f"]),
    ("def f():\n" + _body().rstrip(), ["f"]),
    ("", []),
]


@pytest.mark.parametrize(("text", "aside"), TOLD)
def test_functions_are_set_aside_and_hold_what_they_hold_in_the_file(text: str, aside: list[str]) -> None:
    statements = _lazily(text)

    assert _set_aside(statements) == aside
    assert _dumped(statements) == _dumped(_parsed(text))
    assert _set_aside(statements) == []


def test_a_body_is_told_in_words_until_it_is_parsed() -> None:
    (function,) = _lazily("def f():\n" + _body())
    assert unparsed(function) == _body()

    assert isinstance(function, ast.FunctionDef) and function.body is function.body
    assert unparsed(function) is None


def test_a_lazy_function_is_walked_as_any_other() -> None:
    text = "async def f():\n" + _body()

    assert [type(node).__name__ for node in walk(_lazily(text))][1:] == [
        type(node).__name__ for node in walk(_parsed(text))
    ][1:]


_DEEP = "if x:\n" + " " * 300 + "def f():\n" + _body(" " * 301)
UNTOLD = [
    "x = (\n",
    "x = 1\rdef f(): pass\r",
    "import\ndef f():\n" + _body(),
    "def f(): pass\n" + _body(),
    "x\f\ny",
    _DEEP,
]


@pytest.mark.parametrize("text", UNTOLD)
def test_a_text_that_cannot_be_told_apart_is_parsed_whole(text: str) -> None:
    assert lazily_parsed(text, list) is None


def _sources(path: Path, text: str, unreadable: list[Unreadable]) -> Sources:
    path.write_text(text)
    return Sources([path], unreadable, lambda _: True)


def test_a_body_that_is_no_python_makes_its_file_unreadable_once_it_is_asked_for(tmp_path: Path) -> None:
    unreadable: list[Unreadable] = []
    tree = _sources(tmp_path / "m.py", "x = 1\ndef f():\n" + _body(end="return return\n"), unreadable)[
        tmp_path / "m.py"
    ].tree
    assert not unreadable

    assert "return await unreadable" in map(ast.unparse, walk(tree.body))
    assert [(fact.span.line, fact.reason) for fact in unreadable] == [(15, "not valid Python: invalid syntax")]


def test_a_body_in_a_newer_syntax_is_found_in_the_whole_file(tmp_path: Path) -> None:
    unreadable: list[Unreadable] = []
    path, text = tmp_path / "m.py", "x = 1\n\n@d\ndef f(x):\n" + _body(end="type X = int\nreturn X\n")
    source = _sources(path, text, unreadable)[path]

    assert _dumped(source.tree.body)[2:] == _dumped(parse_source(path, text).tree.body)[2:]
    assert not unreadable


def test_a_file_that_is_asked_about_is_parsed_whole(tmp_path: Path) -> None:
    unreadable: list[Unreadable] = []
    path = tmp_path / "m.py"
    sources = _sources(path, "def f():\n" + _body(end="return return\n"), unreadable)
    sources.parse(path)

    assert len(unreadable) == 1 and not sources[path].tree.body


PIECES = st.sampled_from(
    [
        *('"""', "'''", "'", '"', "#", "\n", "\n    ", "\n        ", "\\", "(", ")", "[", "]", "{", "}", ";", ":", ","),
        *("x", " = ", "x = 1", "@d\n", "def f():", "class A:", "if x:", "else:", "pass", "\n    pass\n", "f'", 'f"'),
        *(f"\n{_body()}", f"\n{_body('        ')}", "\n  async def f():", "\tdef g():", "def f():\n" + _body()),
    ]
)


@settings(max_examples=600, deadline=None)
@given(st.lists(PIECES, max_size=16).map("".join))
def test_whatever_parses_is_told_or_left_to_the_parser(text: str) -> None:
    try:
        whole = _parsed(text)
    except (SyntaxError, ValueError):
        return

    found = lazily_parsed(text, lambda: pytest.fail("it can be parsed in parts"))
    assert found is None or _dumped(found) == _dumped(whole)


def test_the_standard_library_is_told_whole() -> None:
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))[::4]:
        with tokenize.open(path) as file:
            text = file.read().replace("\f", "")
        assert _dumped(_lazily(text)) == _dumped(_parsed(text)), path

"""The statements at the margin of a text: what each parses to alone is what it is in the whole."""

from __future__ import annotations

import ast
import sysconfig
import tokenize
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opcheck.summary.segments import segments

WHOLE = [
    "",
    "# only a comment",
    '"""A docstring."""\nimport a\n',
    "x = 1; y = 2\nz = 3\n",
    "@a\n@b(\n  1,\n)\n# between\n\ndef f():\n    pass\n\n\n@c\nclass A: pass\n",
    "async def f():\n    pass\n@d\nasync  def g():\n    pass\n",
    "if a:\n    b\nelif c:\n    d\nelse: e\ntry:\n    f\nexcept A:\n    g\nelse:\n    h\nfinally:\n    i\nj\n",
    "elsewhere = 1\nexcepted = 2\n",
    "x = \"\"\"\ndef f():\n    pass\n\"\"\"\ny = '''a\n\\'''\nb\"\"\"\n'''\nz = 1\n",
    "x = ''\ny = \"\" ''\nz = '\\'' \"'\" # it's\nw = '''''' + '\"\"\"'\n",
    "f(\na=1,\nb=[\n2,\n],\n)\nx = {\n'a': (1, 2)\n}\n",
    "x = 1 + \\\n2\ny = 3\nz = 'a\\\nb'\n",
    "def f():\n    pass\n# at the margin\n    # inside\n\n    return 1\n",
    "x = rb'\\''\ny = f'{a}' f\"{b['c']}\"\n",
    "x = 1\n\n",
    "x = 1  # ( [ {",
]


def _dumped(statements: list[ast.stmt]) -> list[str]:
    return [ast.dump(statement, include_attributes=True) for statement in statements]


def _parsed(text: str) -> list[ast.stmt]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text).body


def _pieces(text: str) -> list[list[ast.stmt]]:
    found = segments(text)
    assert found is not None
    return [_parsed("\n" * (s.line - 1) + text[s.start : s.end]) for s in found]


def _agrees(text: str) -> bool:
    pieces = _pieces(text)
    return _dumped([statement for piece in pieces for statement in piece]) == _dumped(_parsed(text))


@pytest.mark.parametrize("text", WHOLE)
def test_the_segments_of_a_text_hold_its_statements(text: str) -> None:
    assert _agrees(text)


def test_a_segment_is_one_statement_with_all_that_belongs_to_it() -> None:
    text = "import a, b\n\n@c\ndef f():\n    pass\n\nif x:\n    y\nelse:\n    z\n"
    found = segments(text)

    assert found is not None
    assert [(text[s.start : s.end], s.line) for s in found] == [
        ("import a, b\n\n", 1),
        ("@c\ndef f():\n    pass\n\n", 3),
        ("if x:\n    y\nelse:\n    z\n", 7),
    ]


UNCLEAR = ["x = (", "x = )\n", "x = 'a\n'", 'x = """', "x = \\y", "x = 1\r\ny = 2\r\n", "x\f\ny"]


@pytest.mark.parametrize("text", UNCLEAR)
def test_what_only_the_parser_can_tell_is_left_to_it(text: str) -> None:
    assert segments(text) is None


PIECES = st.sampled_from(
    [
        *('"""', "'''", "'", '"', "#", "\n", "\n    ", "\\", "(", ")", "[", "]", "{", "}", ";", ":", ","),
        *("x", " = ", "x = 1", "@d", "def f():", "class A:", "if x:", "else:", "pass", "\n    pass\n", "f'", 'f"'),
    ]
)


@settings(max_examples=600, deadline=None)
@given(st.lists(PIECES, max_size=16).map("".join))
def test_whatever_parses_is_told_or_left_to_the_parser(text: str) -> None:
    try:
        _parsed(text)
    except (SyntaxError, ValueError):
        return

    assert segments(text) is None or _agrees(text)


def test_the_standard_library_is_told_whole() -> None:
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))[::4]:
        with tokenize.open(path) as file:
            assert _agrees(file.read().replace("\f", "")), path

"""Files of which definitions are parsed when something asks for them: what they say is what parsing all of it says."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

from opcheck.summary.margin import Definition, margin
from opcheck.summary.source import parse_source
from opcheck.summary.sources import Sources
from opcheck_rules.model.project import Unreadable

TEXT = '''"""A module."""
import a

x = 1; y = 2
@dataclass(
    frozen=True
)
@other
class C:
    """
def inside():
    """

# between
def f(x, *, y=C):
    return x
async_thing = """
def g():
    pass
"""
async def h(): pass
'''


def _definitions(text: str) -> list[Definition]:
    found = margin(text, list)
    assert found is not None
    return [each for each in found if isinstance(each, Definition)]


def _dumped(nodes: Sequence[ast.AST]) -> list[str]:
    return [ast.dump(node, include_attributes=True) for node in nodes]


def _waiting(path: Path, text: str, unreadable: list[Unreadable]) -> Sources:
    path.write_text(text)
    return Sources([path], unreadable, lambda _: True)


def test_definitions_are_told_by_name_and_lines() -> None:
    found = [(d.name, d.lineno, d.end_lineno, d.is_decorated) for d in _definitions(TEXT)]

    assert found == [("C", 5, 15, True), ("f", 15, 17, False), ("h", 21, 22, False)]


def test_a_definition_is_parsed_as_it_is_in_its_file(tmp_path: Path) -> None:
    source = _waiting(tmp_path / "m.py", TEXT, [])[tmp_path / "m.py"]

    assert [type(each).__name__ for each in source.margin] == [
        *("Expr", "Import", "Assign", "Assign"),
        *("Definition", "Definition", "Assign", "Definition"),
    ]
    assert _dumped(source.tree.body) == _dumped(ast.parse(TEXT).body)
    assert source.tree is source.tree


def test_the_words_of_a_definition_are_all_that_it_can_mention() -> None:
    _, f, _ = _definitions(TEXT)

    assert {"f", "x", "y", "C"} <= f.words and "frozen" not in f.words


@pytest.mark.parametrize("text", ["x = (\n", "import\ndef f(): pass\n", "x = 1\r\ndef f(): pass\r\n"])
def test_a_text_that_cannot_be_told_apart_is_parsed_whole(text: str) -> None:
    assert margin(text, list) is None


def test_a_definition_that_is_no_python_makes_its_file_unreadable_once_it_is_asked_for(tmp_path: Path) -> None:
    unreadable: list[Unreadable] = []
    path = tmp_path / "m.py"
    source = _waiting(path, "x = 1\ndef f():\n    return return\ndef g(x x):\n    pass\n", unreadable)[path]
    assert not unreadable

    assert _dumped(source.tree.body) == _dumped(ast.parse("x = 1").body)
    assert [(fact.span.line, fact.reason) for fact in unreadable] == [(3, "not valid Python: invalid syntax")]


def test_a_definition_in_a_newer_syntax_is_found_in_the_whole_file(tmp_path: Path) -> None:
    unreadable: list[Unreadable] = []
    path, text = tmp_path / "m.py", "x = 1\n\n@d\ndef f[T](x: T) -> T:\n    return x\n"
    source = _waiting(path, text, unreadable)[path]

    assert _dumped(source.tree.body) == _dumped(parse_source(path, text).tree.body)
    assert not unreadable


def test_a_file_that_is_asked_about_is_parsed_whole(tmp_path: Path) -> None:
    unreadable: list[Unreadable] = []
    path = tmp_path / "m.py"
    sources = _waiting(path, "def f(x x):\n    pass\n", unreadable)
    sources.parse(path)

    assert len(unreadable) == 1 and not sources[path].margin

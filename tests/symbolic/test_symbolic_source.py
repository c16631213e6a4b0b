"""Files as they lie on disk: encodings, line ends and odd characters, and the columns that come of them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from opcheck.summary.imports import imports_of
from opcheck.summary.source import LARGEST_FILE, Source, UnreadableError, parse_source, read_source


def read(tmp_path: Path, data: bytes) -> Source:
    path = tmp_path / "m.py"
    path.write_bytes(data)
    return read_source(path)


def column_of_call(source: Source) -> tuple[int, int, int, int]:
    call = next(node for node in ast.walk(source.tree) if isinstance(node, ast.Call))
    span = source.span(call)
    return span.line, span.column, span.end_line, span.end_column


PLACES: list[tuple[bytes, tuple[int, int, int, int]]] = [
    (b"f(1)", (1, 1, 1, 5)),
    (b"\xef\xbb\xbff(1)", (1, 1, 1, 5)),
    ("é = 1; f('ü')".encode(), (1, 8, 1, 14)),
    (b"# coding: latin-1\n\xe9 = 1; f('\xfc')", (2, 8, 2, 14)),
    ("x = '🐍'; f(\n  '🐍')".encode(), (1, 10, 2, 7)),
    (b"x = 1\r\nif x:\r\n\tf(1)\r\n", (3, 2, 3, 6)),
    (b"x = 1\rf(1)\r", (2, 1, 2, 5)),
    (b"x = 1\n\x0c\nf(1)\n", (3, 1, 3, 5)),
    (b"x = '\x0c'\nf(1)\n", (2, 1, 2, 5)),
    ("x = '\u2028'\nf(1)\n".encode(), (2, 1, 2, 5)),
    (b"x = '\\ud800'; f(1)", (1, 15, 1, 19)),
    (b"\x0cf(1)", (1, 2, 1, 6)),
    (b"if 1:\n  \tf(1)", (2, 4, 2, 8)),
]


@pytest.mark.parametrize(("data", "expected"), PLACES, ids=[repr(d) for d, _ in PLACES])
def test_spans_count_characters_from_one(tmp_path: Path, data: bytes, expected: tuple[int, int, int, int]) -> None:
    assert column_of_call(read(tmp_path, data)) == expected


UNREADABLE: list[tuple[bytes, str, int]] = [
    (b"x = (", "not valid Python: '(' was never closed", 1),
    (b"x = 1\n  y = 2\n", "not valid Python: unexpected indent", 2),
    (b"x = 1\ny = '\xff'\n", "cannot be decoded: ", 2),
    (b"# coding: no-such-codec\n", "cannot be decoded: ", 1),
    (b"# coding: rot13\nk = 1", "cannot be decoded: ", 1),
    (b"# coding: undefined\nk = 1", "cannot be decoded: ", 1),
    (b"# coding: unicode_escape\nx = '\\ud800'\n", "not valid Python: ", 1),
    (b"x = 1\x00", "not valid Python: source code string cannot contain null bytes", 1),
    (b"(" * 5000 + b")" * 5000, "not valid Python: ", 1),
    (b"x = " + b"9" * 5000, "not valid Python: ", 1),
]


@pytest.mark.parametrize(("data", "reason", "line"), UNREADABLE, ids=[repr(d[:30]) for d, _, _ in UNREADABLE])
def test_what_cannot_be_read_says_why_and_where(tmp_path: Path, data: bytes, reason: str, line: int) -> None:
    with pytest.raises(UnreadableError) as caught:
        read(tmp_path, data)

    assert caught.value.fact.reason.startswith(reason)
    assert caught.value.fact.span.line == line


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="cannot be read: No such file or directory"):
        read_source(tmp_path / "gone.py")


def test_a_file_of_data_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "big.py"
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)

    with pytest.raises(UnreadableError, match="larger than 16 MiB"):
        read_source(path)


def test_too_deep_nesting_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    def overflow(_: str) -> ast.Module:
        raise RecursionError

    monkeypatch.setattr(ast, "parse", overflow)

    with pytest.raises(UnreadableError, match="nested too deeply"):
        parse_source(Path("m.py"), "x")


def test_a_definition_spans_its_line() -> None:
    source = parse_source(Path("m.py"), "if 1:\n    def f(x):   \n        pass\n")
    definition = next(node for node in ast.walk(source.tree) if isinstance(node, ast.FunctionDef))
    span = source.signature_span(definition)

    assert (span.line, span.column, span.end_line, span.end_column) == (2, 5, 2, 14)


def test_a_line_past_the_end_is_empty() -> None:
    source = parse_source(Path("m.py"), "x")

    assert source.span(ast.Name("y", lineno=9, col_offset=4)).column == 1


def test_parsing_warns_of_nothing() -> None:
    assert parse_source(Path("m.py"), "x = '\\d' is 1").text == "x = '\\d' is 1"


def test_every_import_of_a_file_is_told() -> None:
    imports = imports_of(parse_source(Path("m.py"), "import a\nif 0:\n    from b import c\ndef f():\n    import d\n"))

    assert [each.module for each in imports] == ["a", "b", "d"]

"""Import statements found in bytes: those that parsing finds, or none where only parsing can tell."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opcheck.summary.imports import Import, find_imports, has_guarded_import, imports_of
from opcheck.summary.scan import scan, text_of
from opcheck.summary.source import UnreadableError, parse_source

CLEAR = {
    "names": "import a\nimport a.b as c, d\n",
    "taken": "from a import b, c as d\nfrom .. import e\nfrom . a import b\nfrom .a.b import c;x = 1\n",
    "brackets": "from a import (\n    b,  # not c)\n    d as e,\n)\nx = 1\n",
    "star": "from a import *  # all\n",
    "indented": "if x:\n    import a\ndef f():\n\tfrom b import c\n",
    "words": "important = imported = 1\nx.imports\nimport_all()\nimportlib\n",
    "comment": "# import a\nx = 1  # import b\n  # from a import b\n",
    "docstring": '"""\nimport a\nfrom b import c\n"""\nimport d\n',
    "strings": "x = '''\nimport a''' + \"\"\"\nimport b\n\"\"\"\nimport c\n",
    "escaped": 'x = """\\"""\nimport a\n"""\nimport b\n',
    "short strings": "x = '\"\"\"'\nimport a\ny = \"'''\" '\"'\nimport b\n",
    "quotes in a comment": '# it\'s """\nimport a\n',
    "in a comment": "x = 1  # and; import a\nimport b\n",
    "in a string": "x = 'a; import b'\nimport c\n",
    "line ends": "import a\r\nfrom b import c\rimport d",
    "empty": "",
    "a name": "from_ = 1  # import\n",
    "no line end": "from a import b",
    "prose": '"""\nfrom here on we import things\n"""\n',
    "not from": "fromage = 1\nx = [i for i in y]  # import\n",
}


@pytest.mark.parametrize("text", CLEAR.values(), ids=CLEAR)
def test_statements_are_found(text: str) -> None:
    assert find_imports(text.encode()) == imports_of(parse_source(Path("m.py"), text))


UNCLEAR = {
    "on one line": "if x: import a\n",
    "after another": "x = 1; import a\n",
    "before another": "import a; import b\n",
    "before another in brackets": "from a import (b); import c\n",
    "continued": "from a \\\n    import b\n",
    "continued names": "from a import b, \\\n    c\n",
    "open": "from a import (b,\n",
    "open string": '"""\nimport a\n',
    "open quotes": "x = '''\nimport a\n",
    "latin": "import \xe9\n",
}


@pytest.mark.parametrize("text", UNCLEAR.values(), ids=UNCLEAR)
def test_what_bytes_do_not_tell_is_left_to_the_parser(text: str) -> None:
    assert find_imports(text.encode("latin-1")) is None


PIECES = st.sampled_from(
    [
        '"""',
        "'''",
        "'",
        '"',
        "#",
        "\n",
        "\n    ",
        "\\",
        "import a",
        "from b import c",
        "x",
        " = ",
        "(",
        ")",
        ";",
        "if x:",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_whatever_parses_is_told_or_left_to_the_parser(text: str) -> None:
    try:
        parsed = imports_of(parse_source(Path("m.py"), text))
    except UnreadableError:
        return

    assert find_imports(text.encode()) in (None, parsed)


def test_the_standard_library_reads_the_same() -> None:
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        found = find_imports(path.read_bytes())
        assert found is None or found == imports_of(parse_source(path, text_of(path))), path


GUARDED = {
    "import a\ndef f():\n    import b\n": False,
    "if x:\n    import a\n": True,
    "if TYPE_CHECKING:\n    import a\n": False,
    "def f():\n    if x:\n        import a\n": False,
    "class A:\n    import a\n": True,
    "try:\n    import a\nexcept ImportError:\n    pass\n": True,
    'def f():\n    x = """\nif so:\n"""\n    import a\n': True,
    "x = 1\n\n  import a\n": True,
    "'key':\n    import a\n": True,
}


@pytest.mark.parametrize(("text", "expected"), GUARDED.items())
def test_guarded_imports_are_told_from_those_of_functions(text: str, expected: bool) -> None:
    assert has_guarded_import(text) is expected


def test_a_scan_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_bytes(b"\xef\xbb\xbfimport a  # opcheck: ignore\n")
    found = scan(path, lambda data: b"import" in data)

    assert found.imports == (Import("a", 0, None, is_plain=True),)
    assert found.declares
    assert found.is_addressed
    assert found.digest == scan(path, lambda _: False).digest


def test_a_scan_of_a_file_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_bytes(b"# coding: latin-1\nif x: import \xe9\n")

    assert scan(path, lambda _: False).imports == (Import("\xe9", 0, None, is_plain=False),)
    assert text_of(path) == "# coding: latin-1\nif x: import \xe9\n"


def test_a_scan_of_what_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_bytes(b"if x: import (\n")

    with pytest.raises(UnreadableError, match="not valid Python"):
        scan(path, lambda _: False)

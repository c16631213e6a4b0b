"""Comments that say to ignore a rule: where they are, what they name, and what only looks like one."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from opcheck.suppress.comments import ignore_comments


def _found(text: str, name: str = "ops.py") -> list[tuple[int, int, str]]:
    """The line, column and rule of each, its span read back from the text."""
    found = list(ignore_comments(Path(name), text))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for comment in found:
        written = lines[comment.span.line - 1][comment.span.column - 1 : comment.span.end_column - 1]
        assert written == comment.rule or (not comment.rule and written.startswith("opcheck:"))
        assert (comment.span.path, comment.span.end_line) == (name, comment.span.line)
    return [(comment.span.line, comment.span.column, comment.rule) for comment in found]


def _rules(text: str, name: str = "ops.py") -> list[str]:
    return [rule for _, _, rule in _found(text, name)]


@pytest.mark.parametrize(
    ("comment", "rules"),
    [
        ("# opcheck: ignore[OPC101]", ["OPC101"]),
        ("# opcheck: ignore[OPC101] CuPy [sic] has to wait, see #12", ["OPC101"]),
        ("# opcheck: ignore[OPC101,kernel-missing , OPC2]", ["OPC101", "kernel-missing", "OPC2"]),
        ("#opcheck:ignore [ OPC101 ]", ["OPC101"]),
        ("# type: ignore[attr-defined]  # opcheck: ignore[OPC101]  # noqa: E501", ["OPC101"]),
        ("# opcheck: ignore[OPC101] # opcheck: ignore[OPC102]", ["OPC101", "OPC102"]),
        ("# opcheck: ignore[OPC101 OPC102]", ["OPC101", "OPC102"]),
        ("# opcheck: ignore", [""]),
        ("# opcheck: ignore[]", [""]),
        ("# opcheck: ignore[ , ] why", [""]),
        ("# opcheck: ignore[OPC101", [""]),
        ("# opcheck: ignore OPC101", [""]),
        ("# opcheck: ignore(OPC101)", [""]),
        ("# opcheck: ignored elsewhere", []),
        ("# opcheck: --backend numpy", []),
        ("# type: ignore[OPC101]", []),
    ],
)
def test_what_a_comment_names(comment: str, rules: list[str]) -> None:
    assert _rules(f"x = 1  {comment}\n") == rules


def test_each_rule_stands_where_it_is_written() -> None:
    assert _found("x = 1\ny = 'é'  # opcheck: ignore[OPC101, OPC2]\n") == [(2, 28, "OPC101"), (2, 36, "OPC2")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_those_of_python(end: str) -> None:
    assert _found(end.join(["x = 1\x0c", "y = 2", "# opcheck: ignore[OPC1]"])) == [(3, 19, "OPC1")]


@pytest.mark.parametrize(
    "text",
    [
        "x = '# opcheck: ignore[OPC101]'",
        '"""\n# opcheck: ignore[OPC101]\n"""',
        "x = f'{1}# opcheck: ignore[OPC101]'",
        "x = 'a\\\n# opcheck: ignore[OPC101]'",
    ],
)
def test_a_text_is_no_comment(text: str) -> None:
    assert _found(text + "\n") == []


@pytest.mark.parametrize("tail", ["x = (", '"""', "\tx\n  y", "$"])
def test_what_stands_before_the_unreadable_is_found(tail: str) -> None:
    assert _rules(f"if x:  # opcheck: ignore[OPC101]\n    y = 1\n{tail}\n") == ["OPC101"]


def test_a_comment_is_known_by_the_code_that_it_stands_beside() -> None:
    text = "@op(backends=['numpy'])  # opcheck: ignore[OPC101]\r\ndef f(x):\r\n    # opcheck: ignore\r\n    return x"

    assert [comment.beside for comment in ignore_comments(Path("ops.py"), text)] == [
        "@op(backends=['numpy'])\ndef f(x):",
        "\nreturn x",
    ]
    assert [comment.beside for comment in ignore_comments(Path("ops.py"), "x  # opcheck: ignore")] == ["x"]


def test_a_configuration_has_comments_as_well() -> None:
    text = '''\
a = "# opcheck: ignore[OPC1]" # opcheck: ignore[OPC2] why
b = """
# opcheck: ignore[OPC3] \\""" """"
c = '# opcheck: ignore[OPC4]' # another
d = [ # opcheck: ignore[OPC5]
]
'''
    assert _found(text, "opcheck.toml") == [(1, 49, "OPC2"), (5, 25, "OPC5")]


def test_a_cpp_source_has_comments_as_well() -> None:
    text = """\
m.impl("a // opcheck: ignore[OPC1]", f); // opcheck: ignore[OPC2] why
auto s = R"x(
// opcheck: ignore[OPC3] )" )x"; /* opcheck: ignore[OPC4] */
int n = 1'000; char c = '"'; // opcheck: ignore[OPC5]
/* opcheck: ignore[OPC6]
 */
"""
    assert _found(text, "ops.cu") == [(1, 61, "OPC2"), (3, 53, "OPC4"), (4, 49, "OPC5")]


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("ops.py", "# opcheck: ignore["),
        ("ops.py", "# opcheck: ignore[OPC1\n"),
        *(("ops.cu", part) for part in ("'", '"', "/*", 'R"x(', '\\"', "// opcheck: ignore[OPC1\n", "[")),
    ],
)
def test_no_text_takes_long(name: str, part: str) -> None:
    start = time.perf_counter()

    list(ignore_comments(Path(name), "# opcheck:\n" + part * 20_000))

    assert time.perf_counter() - start < 5

"""A text without its strings and comments: what is left says where its lines end, or nothing does but parsing."""

from __future__ import annotations

import re

import pytest

from opcheck.summary.lexing import UnclearError, masked, outside_brackets


def _mask(*parts: str | int) -> str:
    """A mask of what is left, and of so many letters for each string."""
    return "".join(part if isinstance(part, str) else "s" * part for part in parts)


MASKED = {
    "": "",
    "x = 1  # it's (\n": "x = 1" + " " * 10 + "\n",
    "x = 'a\\'(' + \"it's\"\n": _mask("x = ", 6, " + ", 6, "\n"),
    'x = """a\n"(\n\\"""" + y\n': _mask("x = ", 13, " + y\n"),
    "x = '''\\'''' + '' + y\n": _mask("x = ", 8, " + ", 2, " + y\n"),
    "x = 1 + \\\n 2\n": "x = 1 +    2\n",
    "né = 'ü?'  # ?\n": _mask("nx = ", 4, " " * 5, "\n"),
}


@pytest.mark.parametrize(("text", "mask"), MASKED.items())
def test_strings_and_comments_are_blanked_out(text: str, mask: str) -> None:
    assert masked(text).decode() == mask


@pytest.mark.parametrize(
    "text", ["x = 'a\n'", 'x = """', '""" "', "x = \\y", "x = 1\ry = 2", "x = 1  # a\ry", "x\f\ny", "\\"]
)
def test_what_only_the_parser_can_tell_is_left_to_it(text: str) -> None:
    with pytest.raises(UnclearError):
        masked(text)


@pytest.mark.parametrize("line", ['\\"""\n', "\\'''\n", '"\n', '""""\n'])
def test_many_quotes_that_open_nothing_take_no_time(line: str) -> None:
    with pytest.raises(UnclearError):
        masked(line * 200_001)


def _line_ends(mask: bytes) -> list[int]:
    return [found.start() for found in outside_brackets(re.compile(rb"\n"), mask)]


def test_a_line_ends_outside_of_brackets() -> None:
    assert _line_ends(b"f(\n[1,\n{}])\ng\n") == [11, 13]


@pytest.mark.parametrize("mask", [b"f(\n\n", b"f)\n", b"f\n["])
def test_brackets_that_do_not_come_out_even_are_unclear(mask: bytes) -> None:
    with pytest.raises(UnclearError):
        _line_ends(mask)

"""A finding as people read it: the anatomy, the alignment, and whatever source it points into."""

from __future__ import annotations

from pathlib import Path

import pytest
from click import unstyle
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.files import write

from opcheck.config import ConfigError
from opcheck.config.error import start_of
from opcheck.report.snippet import View
from opcheck.report.source import printable
from opcheck.report.style import cell_len, styled
from opcheck.report.text import config_error_text, finding_text
from opcheck_rules.model.finding import Finding, Label, PredictedError, Severity, Span

ROPE = '''\
"""Rotary embeddings."""

from torch.library import custom_op


@custom_op("mylib::fused_rope", mutates_args=(), device_types=["cpu"])
def fused_rope(q, k, cos, sin):
    return rotate(q, k, cos, sin)
'''
LLAMA = "\n" * 211 + "        q, k = fused_rope(q, k, cos, sin)\n"
CONFIG = '[tool.opcheck.targets.serve]\nbackends = ["cpu", "cuda"]\n'

GOLDEN = """\
error[OPC101]: `mylib::fused_rope` has no kernel for backend `cuda`, which target `serve` runs on
   --> src/rope.py:6:50
    |
  6 | @custom_op("mylib::fused_rope", mutates_args=(), device_types=["cpu"])
    |                                                  ^^^^^^^^^^^^^^^^^^^^ declared for 1 of 2 backends
  7 | def fused_rope(q, k, cos, sin):
    |     ---------- the op
   ::: pyproject.toml:2:20
  2 | backends = ["cpu", "cuda"]
    |                    ------ required here
   ::: src/llama.py:212:16
212 |         q, k = fused_rope(q, k, cos, sin)
    |                ---------- called here (1 of 7 calls)
    = would raise: NotImplementedError: Could not run 'mylib::fused_rope' with arguments from the 'CUDA' backend
    = note: `mylib::fused_rope` has kernels for `cpu`
    = note: found under the targets `serve`, `train`
    = help: register a `cuda` kernel, or mark it unsupported with a reason"""


def _span(path: Path, line: int, column: int, length: int = 1) -> Span:
    return Span(str(path), line, column, line, column + length)


def _finding(*labels: Label, message: str = "a hole") -> Finding:
    return Finding("OPC101", "backend-not-supported", message, labels)


def _lines(finding: Finding, base: Path, width: int | None = None) -> list[str]:
    return unstyle(finding_text(finding, View(base, width))).split("\n")


@pytest.mark.smoke
def test_the_whole_anatomy(tmp_path: Path) -> None:
    rope = write(tmp_path / "src" / "rope.py", ROPE)
    llama = write(tmp_path / "src" / "llama.py", LLAMA)
    config = write(tmp_path / "pyproject.toml", CONFIG)
    finding = Finding(
        "OPC101",
        "backend-not-supported",
        "`mylib::fused_rope` has no kernel for backend `cuda`, which target `serve` runs on",
        (
            Label(_span(config, 2, 20, 6), "required here"),
            Label(_span(rope, 7, 5, 10), "the op"),
            Label(_span(rope, 6, 50, 20), "declared for 1 of 2 backends", primary=True),
            Label(_span(llama, 212, 16, 10), "called here (1 of 7 calls)"),
        ),
        targets=("serve", "train"),
        notes=("`mylib::fused_rope` has kernels for `cpu`",),
        help="register a `cuda` kernel, or mark it unsupported with a reason",
        error=PredictedError(
            "call",
            "NotImplementedError",
            "Could not run 'mylib::fused_rope' with arguments from the 'CUDA' backend",
        ),
    )

    assert unstyle(finding_text(finding, View(tmp_path))) == GOLDEN


def test_a_warning_says_what_it_hangs_on(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", "x = 1\n")
    finding = Finding(
        "OPC102",
        "backend-gated-off",
        "a hole",
        (Label(_span(path, 1, 1), "", primary=True),),
        severity=Severity.WARNING,
        condition="not pkg.HAS_CUDA",
        error=PredictedError("backward", "UserWarning", "no formula"),
    )

    assert _lines(finding, tmp_path) == [
        "warning[OPC102]: a hole",
        " --> a.py:1:1",
        "  |",
        "1 | x = 1",
        "  | ^",
        "  = would warn in backward: UserWarning: no formula",
        "  = only when: not pkg.HAS_CUDA",
    ]


def test_a_condition_that_takes_lines_to_write_is_cut_where_it_is_told_elsewhere(tmp_path: Path) -> None:
    guard = " and ".join(f"pkg.flags.FLAG_{number}" for number in range(40))
    label = Label(_span(write(tmp_path / "a.py", "x = 1\n"), 1, 1), "", primary=True)
    finding = Finding("OPC102", "backend-gated-off", "a hole", (label,), op="ns::op", condition=guard)

    line = _lines(finding, tmp_path)[-1]

    assert line.startswith("  = only when: pkg.flags.FLAG_0 and pkg.flags.FLAG_1 and ")
    assert line.endswith(" ... (`opcheck explain OPC102 ns::op` says all of it)")
    assert len(line) < 320
    assert _lines(replace(finding, op=None), tmp_path)[-1] == f"  = only when: {guard}"


def test_lines_apart_are_shown_apart(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", "a\nb\nc\nd\n")
    finding = _finding(
        Label(_span(path, 1, 1), "first", primary=True),
        Label(_span(path, 2, 1), "next"),
        Label(_span(path, 4, 1), "last"),
    )

    assert _lines(finding, tmp_path)[3:] == [
        "1 | a", "  | ^ first", "2 | b", "  | - next", "...", "4 | d", "  | - last",
    ]  # fmt: skip


def test_labels_of_one_line_stand_below_it_in_their_order(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", "f(x, y)\n")
    finding = _finding(Label(_span(path, 1, 6), "second", primary=True), Label(_span(path, 1, 3), "first"))

    assert _lines(finding, tmp_path)[3:] == ["1 | f(x, y)", "  |   - first", "  |      ^ second"]


def test_a_span_of_several_lines_is_shown_by_its_first(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", "def f(\n    x,\n): pass\n")
    finding = _finding(Label(Span(str(path), 1, 5, 3, 8), "here", primary=True))

    assert _lines(finding, tmp_path)[3:] == ["1 | def f(", "  |     ^^ here"]


def test_tabs_and_wide_characters_keep_the_marks_in_place(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", "\tx = '漢字' + y\n")
    finding = _finding(Label(_span(path, 1, 6, 4), "", primary=True), Label(_span(path, 1, 13), "y"))

    assert _lines(finding, tmp_path)[3:] == [
        "1 |     x = '漢字' + y",
        "  |         ^^^^^^",
        "  |                  - y",
    ]


def test_a_long_line_is_cut_around_its_span(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", "x" * 500 + "HERE" + "y" * 500 + "\n")
    near, far = Label(_span(path, 1, 501, 4), "here", primary=True), Label(_span(path, 1, 990, 2), "far")

    source, marks, other = _lines(_finding(near, far), tmp_path)[3:]

    assert len(source) == len("1 | ") + 160 + 2 * len("...")
    assert source[marks.index("^") : marks.rindex("^") + 1] == "HERE"
    assert other.endswith("- far")


def test_a_narrow_terminal_never_wraps_into_the_gutter(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", "x" * 30 + "HERE" + "y" * 60 + "\n")
    finding = Finding(
        "OPC101",
        "backend-not-supported",
        "a hole",
        (Label(_span(path, 1, 31, 4), "a label of many words that has no room beside the marks", primary=True),),
        help="some help of many words that takes more than one row of forty cells",
    )

    rows = _lines(finding, tmp_path, width=40)

    assert all(len(row) <= 40 for row in rows)
    assert "  | a label of many words that has no" in rows
    assert rows[-2:] == ["          takes more than one row of", "          forty cells"]


def test_what_a_terminal_would_obey_is_not_passed_on(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", "x = '\x1b[31m\u202e'\n")
    finding = _finding(Label(_span(path, 1, 1), "\x1b]0;title\x07", primary=True), message="bad \x1b[2J name")

    text = "\n".join(_lines(finding, tmp_path))

    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "bad �[2J name" in text


@pytest.mark.parametrize(
    "content", [b"# coding: nonsense\nx = 1\n", b"x = '\xff'\n", b"\x00x = 1\n", b"# coding: latin-1\n"]
)
def test_damaged_source_is_shown_as_well_as_it_can_be(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(content)

    assert _lines(_finding(Label(_span(path, 1, 1), "here", primary=True)), tmp_path)[-1] == "  | ^ here"


def test_a_place_that_is_not_there_keeps_its_words(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", "x\n")
    gone, beyond = (
        Label(_span(tmp_path / "gone.py", 3, 1), "was here"),
        Label(_span(path, 9, 1), "past the end", primary=True),
    )

    assert _lines(_finding(gone, beyond), tmp_path)[1:] == [
        " --> a.py:9:1",
        "  |",
        "  | past the end",
        " ::: gone.py:3:1",
        "  | was here",
    ]


def test_source_that_vanishes_while_it_is_read_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.py", "x\n")

    def refuse(*_: object, **__: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr("tokenize.open", refuse)
    monkeypatch.setattr(Path, "read_text", refuse)

    assert _lines(_finding(Label(_span(path, 1, 1), "here", primary=True)), tmp_path)[-1] == "  | here"


def test_a_path_outside_the_base_is_relative_all_the_same(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", "x\n")

    assert _lines(_finding(Label(_span(path, 1, 1), "", primary=True)), tmp_path / "deeper")[1] == " --> ../a.py:1:1"


def test_a_path_on_another_drive_is_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, start: str) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr("os.path.relpath", refuse)

    assert _lines(_finding(Label(_span(Path("/d/a.py"), 1, 1), "", primary=True)), Path("/c"))[1] == " --> /d/a.py:1:1"


def test_a_configuration_error_has_the_same_form(tmp_path: Path) -> None:
    path = write(tmp_path / "opcheck.toml", "exclud = []\n")
    error = ConfigError("unknown key `exclud`", _span(path, 1, 1, 6), help="did you mean `exclude`?")

    assert unstyle(config_error_text(error, View(tmp_path))).split("\n") == [
        "error: unknown key `exclud`",
        " --> opcheck.toml:1:1",
        "  |",
        "1 | exclud = []",
        "  | ^^^^^^",
        "  = help: did you mean `exclude`?",
    ]


def test_a_configuration_error_without_a_place_is_a_line(tmp_path: Path) -> None:
    assert unstyle(config_error_text(ConfigError("no such path: `x`"), View(tmp_path))) == "error: no such path: `x`"


def test_an_error_about_a_file_that_cannot_be_shown_names_it(tmp_path: Path) -> None:
    text = unstyle(config_error_text(ConfigError("not a file", start_of(tmp_path / "opcheck.toml")), View(tmp_path)))

    assert text.split("\n") == ["error: not a file", " --> opcheck.toml:1:1", "  |"]


@pytest.mark.parametrize(
    ("text", "cells"),
    [("abc", 3), ("é", 1), ("e\N{COMBINING ACUTE ACCENT}", 1), ("漢字", 4), ("a\u200bb", 2)],
)
def test_the_room_a_text_takes(text: str, cells: int) -> None:
    assert cell_len(text) == cells


@pytest.mark.parametrize(("style", "text"), [("bold red", "\x1b[1;31mx\x1b[0m"), ("", "x")])
def test_a_style_is_put_around_its_text(style: str, text: str) -> None:
    assert styled("x", style) == text
    assert styled("", style) == ""


_SOURCES = st.text("ab \t漢é\N{GRINNING FACE}\x1b\x00\u200b\u0301", max_size=60)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(line=_SOURCES, start=st.integers(1, 70), length=st.integers(0, 70), width=st.none() | st.integers(1, 80))
def test_the_marks_stand_below_their_span(
    tmp_path: Path, line: str, start: int, length: int, width: int | None
) -> None:
    path = write(tmp_path / "a.py", line.rstrip() + "\n")
    rows = _lines(_finding(Label(_span(path, 1, start, length), "", primary=True)), tmp_path, width)
    source, marks = rows[3], rows[4]

    assert marks.strip("| ^") == ""
    if "..." not in source:
        before = cell_len(printable(line.rstrip()[: start - 1]))
        assert marks.index("^") == len("1 | ") + before
        assert marks.count("^") == max(1, cell_len(printable(line.rstrip()[: start - 1 + length])) - before)

"""The forms that have one line a finding."""

from __future__ import annotations

import json

from click import unstyle
from hypothesis import given, settings
from msgspec.structs import replace
from tests.lint.report.samples import DOUBT, FINDINGS, HOLE, written

from opcheck_rules.model.finding import Finding

LINES = ("concise", "jsonl", "github")


def test_nothing_found_is_nothing_written() -> None:
    assert [written(format) for format in (*LINES, "full")] == ["", "", "", ""]


def test_concise_is_as_compilers_write() -> None:
    assert unstyle(written("concise", HOLE, DOUBT)).splitlines() == [
        "src/a.py:3:1: error: `ns::op` has no kernel for backend `cuda` [OPC101]",
        "src/a.py:3:1: warning: `ns::op` may have none [OPC102]",
    ]


def test_each_line_of_jsonl_is_a_finding_as_json_has_it() -> None:
    lines = [json.loads(line) for line in written("jsonl", HOLE, DOUBT).splitlines()]

    assert lines == json.loads(written("json", HOLE, DOUBT))["findings"]


def test_an_annotation_of_github_says_where_and_why() -> None:
    assert written("github", HOLE, DOUBT).splitlines() == [
        "::error file=src/a.py,line=3,endLine=3,col=1,endColumn=9,title=OPC101 backend-not-supported::"
        "`ns::op` has no kernel for backend `cuda`%0Arequired here: pyproject.toml:2:13"
        "%0Awould raise: NotImplementedError: Could not run 'ns::op'%0Anote: a fact"
        "%0Anote: found under the targets `serve`, `train`%0Ahelp: register a `cuda` kernel"
        "%0Afix: unsafe, with `--fix --unsafe-fixes`",
        "::warning file=src/a.py,line=3,endLine=3,col=1,endColumn=9,title=OPC102 backend-gated-off::"
        "`ns::op` may have none%0Aonly when: not pkg.FAST",
    ]


def test_an_annotation_of_several_lines_has_no_columns() -> None:
    label = replace(DOUBT.labels[0], span=replace(DOUBT.primary, end_line=5))

    assert written("github", replace(DOUBT, labels=(label,))).startswith(
        "::warning file=src/a.py,line=3,endLine=5,title=OPC102 backend-gated-off::"
    )


@settings(max_examples=60, deadline=None)
@given(finding=FINDINGS)
def test_whatever_is_found_it_is_one_line(finding: Finding) -> None:
    for format in LINES:
        text = unstyle(written(format, finding))
        assert len(text.splitlines()) == 1
        assert text.endswith("\n")
        assert text[:-1].isprintable()


@settings(max_examples=60, deadline=None)
@given(finding=FINDINGS)
def test_no_text_of_a_finding_ends_a_property_of_an_annotation(finding: Finding) -> None:
    head, _, _ = written("github", finding).removeprefix("::").partition("::")

    assert [part.partition("=")[0] for part in head.removeprefix("error ").split(",")] == [
        "file", "line", "endLine", "col", "endColumn", "title",
    ]  # fmt: skip

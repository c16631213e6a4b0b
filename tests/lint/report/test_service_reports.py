"""The forms that services show: JUnit's XML, GitLab's issues, Markdown."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from tests.lint.report.samples import DOUBT, FINDINGS, FINGERPRINT, HOLE, written

from opcheck_rules.model.finding import Finding, Label, Severity, Span

OTHER = replace(HOLE, labels=(Label(Span("/work/demo/src/b.py", 7, 2, 7, 3), "", primary=True),))


def test_junit_has_a_suite_for_each_file_and_a_case_for_each_finding() -> None:
    root = ElementTree.fromstring(written("junit", OTHER, HOLE, DOUBT))

    assert root.attrib == {"name": "opcheck", "tests": "3", "failures": "2", "errors": "0"}
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in root] == [
        ("src/a.py", "2", "1"),
        ("src/b.py", "1", "1"),
    ]
    assert root[0][0].attrib == {
        "name": "OPC101 ns::op cuda",
        "classname": "backend-not-supported",
        "file": "src/a.py",
        "line": "3",
    }
    [failure] = root[0][0]
    assert failure.attrib == {"type": "error", "message": "`ns::op` has no kernel for backend `cuda`"}
    assert (failure.text or "").startswith("required here: pyproject.toml:2:13\nwould raise: NotImplementedError")


def test_in_junit_what_does_not_fail_the_run_does_not_fail_its_case() -> None:
    [case] = ElementTree.fromstring(written("junit", DOUBT)).iter("testcase")
    [out] = case
    [failing] = ElementTree.fromstring(written("junit", DOUBT, fail_on=Severity.WARNING)).iter("failure")

    assert (out.tag, out.text) == ("system-out", "warning: `ns::op` may have none\nonly when: not pkg.FAST")
    assert failing.get("type") == "warning"


def test_in_junit_a_run_without_findings_is_a_case_that_passes() -> None:
    root = ElementTree.fromstring(written("junit"))

    assert root.attrib == {"name": "opcheck", "tests": "1", "failures": "0", "errors": "0"}
    assert [len(case) for case in root.iter("testcase")] == [0]


@settings(max_examples=60, deadline=None)
@given(finding=FINDINGS)
def test_whatever_is_found_junit_can_be_parsed(finding: Finding) -> None:
    text = written("junit", finding)

    assert text.isascii()
    assert len(list(ElementTree.fromstring(text).iter("failure"))) == 1


def test_gitlab_has_an_issue_for_each_finding() -> None:
    first, second, again = json.loads(written("gitlab", HOLE, DOUBT, HOLE))

    assert first == {
        "description": "`ns::op` has no kernel for backend `cuda`",
        "check_name": "OPC101",
        "fingerprint": FINGERPRINT,
        "severity": "major",
        "location": {"path": "src/a.py", "lines": {"begin": 3}},
    }
    assert second["severity"] == "minor"
    assert again["fingerprint"] != first["fingerprint"]
    assert json.loads(written("gitlab")) == []


def test_markdown_has_a_row_for_each_finding() -> None:
    assert written("markdown", HOLE, DOUBT).splitlines() == [
        "### opcheck: 1 error, 1 warning",
        "",
        "| | rule | place | finding |",
        "|---|---|---|---|",
        "| error | OPC101 backend-not-supported | src/a.py:3 | `ns::op` has no kernel for backend `cuda`"
        "<br>required here: pyproject.toml:2:13<br>would raise: NotImplementedError: Could not run 'ns::op'"
        "<br>note: a fact<br>note: found under the targets `serve`, `train`<br>help: register a `cuda` kernel"
        "<br>fix: unsafe, with `--fix --unsafe-fixes` |",
        "| warning | OPC102 backend-gated-off | src/a.py:3 | `ns::op` may have none<br>only when: not pkg.FAST |",
    ]
    assert written("markdown") == "### opcheck: 0 errors, 0 warnings\n"


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("a `b|c` d", "a <code>b&#124;c</code> d"),
        ("a | <b> `c", "a &#124; &#60;b&#62; &#96;c"),
        ("@you #1 *x* `<b>`", "&#64;you &#35;1 &#42;x&#42; `<b>`"),
        ("two\nlines", "two\N{REPLACEMENT CHARACTER}lines"),
    ],
)
def test_in_markdown_only_code_is_marked_up(message: str, shown: str) -> None:
    assert f"| {shown}<br>only when" in written("markdown", replace(DOUBT, message=message))


@settings(max_examples=60, deadline=None)
@given(finding=FINDINGS)
def test_whatever_is_found_a_row_of_markdown_has_its_four_cells(finding: Finding) -> None:
    *_, row = written("markdown", finding).splitlines()
    outside_of_code = re.sub("`[^`]+`", "", row)

    assert row.count("|") == 5
    assert set(re.findall(r"<[^>]*>", outside_of_code)) <= {"<br>", "<code>", "</code>"}

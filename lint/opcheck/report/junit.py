"""JUnit's XML, for services that show tests: one suite a file, one case a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from opcheck_rules.model.finding import Finding

from .places import shown
from .remarks import details
from .results import Results
from .snippet import View
from .source import printable

_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_NOTHING_FOUND: Final = (
    '  <testsuite name="opcheck" tests="1" failures="0" errors="0">',
    '    <testcase name="no findings" classname="opcheck"/>',
    "  </testsuite>",
)


def junit(results: Results, view: View) -> str:
    """The findings as cases, of which those fail that fail the run; one that passes where nothing is found."""
    lines = [line for group in _by_file(results) for line in _suite(group, results, view)] or _NOTHING_FOUND
    counts = _counts(results.findings, results) if results.findings else 'tests="1" failures="0" errors="0"'
    head = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="opcheck" {counts}>']
    return "\n".join([*head, *lines, "</testsuites>", ""])


def _by_file(results: Results) -> Iterator[list[Finding]]:
    ordered = sorted(results.findings, key=lambda finding: finding.primary)
    return (list(group) for _, group in groupby(ordered, key=lambda finding: finding.primary.path))


def _suite(findings: Sequence[Finding], results: Results, view: View) -> Iterator[str]:
    path = shown(findings[0].primary.path, view.base)
    yield f"  <testsuite name={_quoted(path)} {_counts(findings, results)}>"
    for finding in findings:
        yield from _case(finding, path, results.fails(finding), view)
    yield "  </testsuite>"


def _case(finding: Finding, path: str, fails: bool, view: View) -> Iterator[str]:
    name = " ".join(filter(None, (finding.code, finding.op, finding.backend)))
    place = f'file={_quoted(path)} line="{finding.primary.line}"'
    yield f"    <testcase name={_quoted(name)} classname={_quoted(finding.rule)} {place}>"
    message, body = _quoted(finding.message), "\n".join(map(_escaped, details(finding, view.base)))
    if fails:
        yield f'      <failure type="{finding.severity}" message={message}>{body}</failure>'
    else:
        yield f"      <system-out>{_escaped(f'{finding.severity}: {finding.message}')}\n{body}</system-out>"
    yield "    </testcase>"


def _counts(findings: Sequence[Finding], results: Results) -> str:
    return f'tests="{len(findings)}" failures="{sum(map(results.fails, findings))}" errors="0"'


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    """`text` without what XML has no place for, in ASCII whatever the encoding of the stream."""
    return printable(text).translate(_ESCAPES).encode("ascii", "xmlcharrefreplace").decode()

"""Workflow commands of GitHub Actions, which annotate the lines of a pull request."""

from __future__ import annotations

from opcheck_rules.model.finding import Finding

from .places import shown
from .remarks import details
from .results import Results
from .snippet import View
from .source import printable


def github(results: Results, view: View) -> str:
    """One command a finding."""
    return "".join(f"{_command(finding, view)}\n" for finding in results.findings)


def _command(finding: Finding, view: View) -> str:
    span = finding.primary
    # GitHub has no columns for what takes several lines.
    columns = {"col": span.column, "endColumn": span.end_column} if span.line == span.end_line else {}
    properties = {
        "file": shown(span.path, view.base),
        "line": span.line,
        "endLine": span.end_line,
        **columns,
        "title": f"{finding.code} {finding.rule}",
    }
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    lines = [printable(finding.message), *details(finding, view.base)]
    said = _data("\n".join(lines))
    return f"::{finding.severity} {given}::{said}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")

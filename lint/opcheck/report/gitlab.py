"""A report of GitLab's Code Quality, which shows findings in a merge request."""

from __future__ import annotations

from typing import Any, Final

from opcheck_rules.model.finding import Finding, Severity

from .documents import dumped
from .fingerprints import fingerprints
from .places import shown
from .results import Results
from .snippet import View

_SEVERITIES: Final = {Severity.ERROR: "major", Severity.WARNING: "minor"}


def gitlab(results: Results, view: View) -> str:
    """The findings as a list of issues."""
    found = zip(results.findings, fingerprints(results.findings, view.base), strict=True)
    return dumped([_issue(finding, identity, view) for finding, identity in found]) + "\n"


def _issue(finding: Finding, identity: str, view: View) -> dict[str, Any]:
    return {
        "description": finding.message,
        "check_name": finding.code,
        "fingerprint": identity,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": shown(finding.primary.path, view.base), "lines": {"begin": finding.primary.line}},
    }

"""A table for a comment on a change, or the summary of a pipeline."""

from __future__ import annotations

from opcheck_rules.model.finding import Finding

from .counts import tally
from .markup import marked_up
from .places import shown
from .remarks import details
from .results import Results
from .snippet import View


def markdown(results: Results, view: View) -> str:
    """How many findings there are, and a row for each."""
    head = f"### opcheck: {tally(results.findings)}\n"
    if not results.findings:
        return head
    rows = [_row(finding, view) for finding in results.findings]
    return "\n".join([head, "| | rule | place | finding |", "|---|---|---|---|", *rows, ""])


def _row(finding: Finding, view: View) -> str:
    span = finding.primary
    place = f"{shown(span.path, view.base)}:{span.line}"
    said = "<br>".join(map(marked_up, (finding.message, *details(finding, view.base))))
    return f"| {finding.severity} | {finding.code} {finding.rule} | {marked_up(place)} | {said} |"

"""One line a finding, in the form that editors take for a compiler's."""

from __future__ import annotations

from opcheck_rules.model.finding import Finding

from .remarks import place
from .results import Results
from .snippet import View
from .source import printable
from .style import COLOURS, styled


def concise(results: Results, view: View) -> str:
    """The place, the severity, the message and the rule of each finding."""
    return "".join(f"{_line(finding, view)}\n" for finding in results.findings)


def _line(finding: Finding, view: View) -> str:
    severity = styled(str(finding.severity), f"bold {COLOURS[finding.severity]}")
    return f"{place(finding.primary, view.base)}: {severity}: {printable(finding.message)} [{finding.code}]"

"""What a run of `check` found, as every format is given it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from opcheck_rules.model.finding import Finding, Severity
from opcheck_rules.model.target import Target


class Results(Struct, frozen=True):
    """The findings of a run with the targets they were looked for under, and what was read for them.

    `read` counts the files, `candidates` those of them that may declare something, and `failed` are the paths of those
    that could not be read. Findings fail the run from the severity `fail_on`.
    """

    findings: Sequence[Finding]
    targets: Sequence[Target] = ()
    read: int = 0
    candidates: int = 0
    failed: Sequence[str] = ()
    fail_on: Severity = Severity.ERROR

    def fails(self, finding: Finding) -> bool:
        """Whether a finding makes the run fail."""
        return finding.severity.rank >= self.fail_on.rank

"""Identities of findings, for services that keep one entry for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from opcheck_rules.model.finding import Finding


def fingerprints(findings: Iterable[Finding]) -> Iterator[str]:
    """The fingerprint of each finding, numbered where several share one: a service would drop all but the first."""
    met = Counter[str]()
    for finding in findings:
        met[finding.fingerprint] += 1
        number = met[finding.fingerprint]
        yield finding.fingerprint if number == 1 else f"{finding.fingerprint}-{number}"

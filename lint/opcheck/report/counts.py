"""Numbers with their nouns."""

from __future__ import annotations

from collections.abc import Iterable

from opcheck_rules.model.finding import Finding, Severity


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the singular or the plural."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def tally(findings: Iterable[Finding]) -> str:
    """How many errors and warnings there are."""
    severities = [finding.severity for finding in findings]
    return ", ".join(counted(severities.count(severity), str(severity)) for severity in Severity)

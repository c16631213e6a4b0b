"""What a project's rules find: the findings to report, and how many are suppressed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from opcheck.config.selectors import chosen, matches
from opcheck.discovery.gitignore import compiled
from opcheck.engine import check
from opcheck_rules import ALL_RULES
from opcheck_rules.model.finding import Finding

from .selection import Selection
from .subjects import Subject


@dataclass(frozen=True, slots=True)
class Found:
    """The findings that a run reports of a project, and the number of those that are suppressed."""

    findings: list[Finding]
    suppressed: int


def found_in(subject: Subject, selection: Selection) -> Found:
    """What a project's rules find in the files that were asked for, but for what its configuration ignores."""
    rules = chosen(ALL_RULES, *selection.over(subject.settings))
    reported = {str(path) for path in subject.files.reported}
    read = {str(path) for path in subject.files.paths}
    asked = [f for f in check(subject.reading, subject.targets, rules) if _concerns(f, reported, read)]
    findings = [finding for finding in asked if not _is_ignored(finding, subject)]
    return Found(findings, len(asked) - len(findings))


def _concerns(finding: Finding, reported: set[str], read: set[str]) -> bool:
    """Whether a finding touches a file that was asked for; one about the configuration always counts."""
    places = {label.span.path for label in finding.labels}
    return not places.isdisjoint(reported) or finding.primary.path not in read


def _is_ignored(finding: Finding, subject: Subject) -> bool:
    path = Path(finding.primary.path)
    root = subject.settings.root
    return path.is_relative_to(root) and any(
        any(matches(selector, finding.code, finding.rule) for selector in selectors)
        and compiled([pattern]).match_file(path.relative_to(root).as_posix())
        for pattern, selectors in subject.settings.per_file_ignores.items()
    )

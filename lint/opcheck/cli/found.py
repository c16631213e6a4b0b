"""What a project's rules find: the findings to report, and how many are suppressed."""

from __future__ import annotations

from msgspec import Struct

from opcheck.config.selectors import chosen
from opcheck.discovery import Files
from opcheck.suppress.apply import check
from opcheck.suppress.baseline import baseline_ignores
from opcheck.suppress.ignores import Ignore, ignores
from opcheck_rules import ALL_RULES
from opcheck_rules.model.finding import Finding

from .selection import Selection
from .subjects import Subject


class Found(Struct, frozen=True):
    """The findings that a run reports of a project, and the number of those that are suppressed.

    `separate` are the same findings with nothing said for many ops at once.
    """

    findings: list[Finding]
    suppressed: int
    separate: list[Finding]


def found_in(subject: Subject, selection: Selection) -> Found:
    """What a project's rules find in the files that were asked for, but for what is ignored there."""
    rules = chosen(ALL_RULES, *selection.over(subject.settings))
    others = [rule for rule in ALL_RULES if rule not in rules]
    parted = check(subject.reading, subject.targets, rules, ignored_in(subject), others)
    told, separate, suppressed = (
        [finding for finding in found if concerns(finding, subject.files)]
        for found in (parted.reported, parted.separate, parted.suppressed)
    )
    return Found(told, len(suppressed), separate)


def ignored_in(subject: Subject) -> list[Ignore]:
    """Everything that is written to suppress findings of a project, in whichever layer."""
    whole = _is_whole(subject)
    written = ignores(subject.settings, subject.files, subject.reading, whole=whole)
    return [*written, *baseline_ignores(subject.settings, whole=whole)]


def _is_whole(subject: Subject) -> bool:
    """Whether the project is held against every target that it has."""
    configured = subject.settings.targets
    return len(subject.targets) >= len(configured) and all(t.inferred or t in configured for t in subject.targets)


def concerns(finding: Finding, files: Files) -> bool:
    """Whether a finding touches a file that was asked for; one about the configuration always counts."""
    return any(files.asks_for(label.span.path) for label in finding.labels) or not files.holds(finding.primary.path)

"""Findings parted into those to report and those that are suppressed; and what is left with nothing to suppress."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from opcheck.config.selectors import matches
from opcheck.engine import findings, fold, reported
from opcheck.reading import Reading
from opcheck_rules import unused_suppression
from opcheck_rules.base import Rule
from opcheck_rules.model.finding import Finding
from opcheck_rules.model.suppression import UnusedSuppression
from opcheck_rules.model.target import Target

from .ignores import Ignore

_UNUSED: Final = unused_suppression.RULE


class Parted(Struct, frozen=True):
    """What was found, one finding for each fault; `separate` is what is reported, none of it said for many at once."""

    reported: list[Finding]
    suppressed: list[Finding]
    separate: list[Finding]


def check(
    reading: Reading,
    targets: Sequence[Target],
    rules: Sequence[Rule],
    ignores: Sequence[Ignore],
    others: Iterable[Rule] = (),
) -> Parted:
    """Apply `rules`, and part what they find by `ignores`. `others` are the rules that were not chosen.

    The rule about suppressions comes after the rest, of whom it depends what is unused: of the others too, whose
    findings an ignore may be for. Ignores of its own findings are told of at the very end, and can't suppress that.
    """
    found = findings(reading, targets, [rule for rule in rules if rule is not _UNUSED])
    if _UNUSED not in rules:
        return _parted(found, ignores)
    unseen = findings(reading, targets, [rule for rule in others if any(_names(ignore, rule) for ignore in ignores)])
    idle = _idle([ignore for ignore in ignores if not _names(ignore, _UNUSED)], found + unseen)
    found += _told(reading, targets, [*reading.project.unused_suppressions, *idle.values()])
    last = _idle([ignore for ignore in ignores if _names(ignore, _UNUSED)], found + unseen)
    found += _told(reading, targets, last.values())
    return _parted(found, [ignore for ignore in ignores if ignore not in last])


def _names(ignore: Ignore, rule: Rule) -> bool:
    return matches(ignore.selector, rule.code, rule.name)


def _idle(ignores: Iterable[Ignore], found: Sequence[Finding]) -> dict[Ignore, UnusedSuppression]:
    """The ignores that take nothing of what was found, where the run can tell."""
    return {i: i.unused for i in ignores if i.unused and not any(map(i.takes, found))}


def _told(reading: Reading, targets: Sequence[Target], unused: Collection[UnusedSuppression]) -> list[Finding]:
    if not unused:
        return []
    project = replace(reading.project, unused_suppressions=tuple(unused))
    return findings(replace(reading, project=project), targets, [_UNUSED])


def _parted(found: Iterable[Finding], ignores: Sequence[Ignore]) -> Parted:
    kept: list[Finding] = []
    suppressed: list[Finding] = []
    for finding in found:
        (suppressed if any(ignore.takes(finding) for ignore in ignores) else kept).append(finding)
    return Parted(reported(kept), fold(suppressed), fold(kept))

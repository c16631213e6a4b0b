"""Fixing the findings of a run, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from opcheck.config import ConfigError
from opcheck.fix.diff import diff
from opcheck.fix.propose import with_fixes
from opcheck.fix.rounds import Change, Outcome, Refused, mend
from opcheck.fix.trial import trial_of
from opcheck.report.counts import counted
from opcheck.report.places import shown
from opcheck.writing import write_whole
from opcheck_rules.model.finding import Finding

from .console import HERE, notify
from .fix_options import Fixing
from .subjects import Subject


def fix_or_show(found: Iterable[tuple[Subject, Sequence[Finding]]], fixing: Fixing) -> str:
    """Fix the findings of each project; where that is only to be shown, give the diff.

    Raises ConfigError where a file can't be written.
    """
    outcomes = [_mended(subject, findings, fixing) for subject, findings in found]
    changes = [change for outcome in outcomes for change in outcome.changes]
    if not fixing.diff:
        _write(changes)
    for line in _said(outcomes, fixing):
        notify(line)
    return "".join(diff(change, shown(str(change.path), HERE)) for change in changes if fixing.diff)


def _mended(subject: Subject, findings: Sequence[Finding], fixing: Fixing) -> Outcome:
    """What fixing comes to in a copy of a project, which only is made where there is something to fix."""
    fixed = with_fixes(findings, [subject.reading])
    if not any(f.fix is not None and f.fix.applicability in fixing.allowed for f in fixed):
        return Outcome(0, (), ())
    try:
        with TemporaryDirectory(prefix="opcheck-") as folder:
            trial = trial_of(subject.settings, subject.files, subject.targets, Path(folder).resolve())
            return mend(trial, findings, fixing.allowed)
    except OSError as error:
        raise ConfigError(f"cannot try fixes in a copy of the project: {error.strerror}") from None


def _write(changes: Sequence[Change]) -> None:
    for change in changes:
        if not _is_as_read(change):
            raise ConfigError(
                f"`{shown(str(change.path), HERE)}` was changed while it was being fixed", help="try again"
            )
    for change in changes:
        write_whole(change.path, change.after)


def _is_as_read(change: Change) -> bool:
    try:
        return change.path.read_bytes() == change.before
    except OSError:
        return False


def _said(outcomes: Sequence[Outcome], fixing: Fixing) -> Iterable[str]:
    yield from (_refusal(refused) for outcome in outcomes for refused in outcome.refused)
    mended = counted(sum(outcome.mended for outcome in outcomes), "finding")
    files = counted(sum(len(outcome.changes) for outcome in outcomes), "file")
    yield f"{'Would fix' if fixing.diff else 'Fixed'} {mended} in {files}."


def _refusal(refused: Refused) -> str:
    finding = refused.finding
    place = f"{shown(finding.primary.path, HERE)}:{finding.primary.line}"
    others = ", ".join(sorted({left.code for left in refused.left}))
    why = f"{others} would be left" if others else "the file would be broken"
    return f"not fixed: {finding.code} at {place}, as {why}"

"""Fixing in rounds: what was mended is checked before more is, as one edit moves the places that the next is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from opcheck_rules.model.finding import Applicability, Edit, Finding

from .trial import Trial, restore

_Identity: TypeAlias = tuple[str | None, ...]

# As often one fix of an op may wait for another, and halving the rest may find the one that spoils it.
_ROUNDS: Final = 30


class Change(Struct, frozen=True):
    """What a file holds, and what it is to hold."""

    path: Path
    before: bytes
    after: bytes


class Refused(Struct, frozen=True):
    """A finding that was not fixed, as these would be left or new; none of them where the file would be broken."""

    finding: Finding
    left: Sequence[Finding]


class Outcome(Struct, frozen=True):
    """How many findings are mended, which are not, and what that makes of the files."""

    mended: int
    refused: Sequence[Refused]
    changes: Sequence[Change]


@dataclass(slots=True)
class _Work:
    """Where the work stands: what is found now, what was tried, how much is tried at once, and what the files held."""

    trial: Trial
    found: Sequence[Finding]
    most: int
    mended: int = 0
    refused: dict[_Identity, Sequence[Finding]] = field(default_factory=dict[_Identity, Sequence[Finding]])
    originals: dict[Path, bytes] = field(default_factory=dict[Path, bytes])


def mend(trial: Trial, wanted: Sequence[Finding], allowed: Collection[Applicability]) -> Outcome:
    """Fix what is wanted in the copy, as far as that is allowed and does no harm."""
    places = {str(path): str(copy) for path, copy in trial.copies.items()}
    asked = {_identity(finding, places.get(finding.primary.path)): finding for finding in wanted}
    work = _Work(trial, trial.findings(), most=len(wanted))
    for _ in range(_ROUNDS):
        left = [f for f in work.found if _identity(f) in asked and _identity(f) not in work.refused]
        batch = _batch(left, allowed)[: work.most]
        if not batch:
            break
        _try(work, batch, most=len(wanted))
    refused = [Refused(asked[identity], there) for identity, there in work.refused.items()]
    return Outcome(work.mended, refused, list(_changes(work)))


def _identity(finding: Finding, path: str | None = None) -> _Identity:
    """What it is about, less the text around it that another fix may change."""
    return finding.code, finding.op, finding.backend, finding.context, path or finding.primary.path


def _batch(findings: Iterable[Finding], allowed: Collection[Applicability]) -> list[Finding]:
    """Those whose fixes can be made at once: one an op, so that it is known whose harm is whose, and no two overlap."""
    batch, ops, edits = list[Finding](), set[str](), list[Edit]()
    for finding in findings:
        fix = finding.fix
        if fix is None or fix.applicability not in allowed or finding.op in ops or _overlap(fix.edits, edits):
            continue
        batch.append(finding)
        edits += fix.edits
        ops |= {finding.op} if finding.op else set()
    return batch


def _overlap(some: Iterable[Edit], others: Sequence[Edit]) -> bool:
    return any(_touch(one, other) for one in some for other in others)


def _touch(one: Edit, other: Edit) -> bool:
    """Whether two edits share a place, if only the one that both end or begin at."""
    first, second = sorted((one.span, other.span))
    return first.path == second.path and (second.line, second.column) <= (first.end_line, first.end_column)


def _try(work: _Work, batch: Sequence[Finding], most: int) -> None:
    """Make fixes, and unmake them where a finding is left or new: one is to blame, or fewer are tried next."""
    before = work.trial.edit(edit for finding in batch if finding.fix for edit in finding.fix.edits)
    after = work.trial.findings() if before is not None else ()
    left = _left(work.found, batch, after)
    if before is not None and not left:
        work.originals = before | work.originals
        work.mended, work.found, work.most = work.mended + len(batch), after, most
        return
    restore(before or {})
    blamed = {_identity(f): there for f in batch if (there := _blame(f, left)) or len(batch) == 1}
    work.refused |= blamed
    work.most = most if blamed else len(batch) // 2


def _left(before: Iterable[Finding], batch: Iterable[Finding], after: Sequence[Finding]) -> list[Finding]:
    """The findings that should not be there, with those of the batch mended and nothing else touched."""
    expected = Counter(map(_identity, before)) - Counter(map(_identity, batch))
    surplus = Counter(map(_identity, after)) - expected
    return [finding for finding in after if _identity(finding) in surplus]


def _blame(fixed: Finding, left: Iterable[Finding]) -> list[Finding]:
    """What is left because of a fix: its own finding, or others on the same op."""
    return [f for f in left if _identity(f) == _identity(fixed) or (f.op is not None and f.op == fixed.op)]


def _changes(work: _Work) -> Iterator[Change]:
    for path, copy in work.trial.copies.items():
        if copy in work.originals:
            yield Change(path, work.originals[copy], copy.read_bytes())

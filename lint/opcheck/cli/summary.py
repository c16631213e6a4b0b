"""What is said beside the results: under which targets, and how much was looked at."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from opcheck.engine import tables
from opcheck.report.counts import counted, tally
from opcheck.report.places import shown
from opcheck_rules.model.finding import Finding

from .console import HERE
from .subjects import Subject


def announcements(found: Iterable[Subject]) -> Iterator[str]:
    """What a user should know before the results: assumed targets, and what the reading warns of."""
    for subject in found:
        for target in subject.targets:
            if target.inferred and target.backends:
                yield f"No target is configured: assuming `{target.name}` ({', '.join(target.backends)})."
        for warning in subject.reading.warnings:
            yield f"warning: {_as_shown(warning, subject.settings.root)}"


def _as_shown(text: str, root: Path) -> str:
    """A text with the paths below a project's root as all others are shown."""
    place = shown(str(root), HERE)
    return text.replace(f"{root}{os.sep}", "" if place == "." else f"{place}/")


def summary(found: Sequence[Subject], findings: Iterable[Finding], suppressed: int) -> str:
    """One line on what was read, checked and found."""
    read = counted(sum(subject.files.count for subject in found), "file")
    return f"Read {read}; {_checked(found)}: {tally(findings)}{f', {suppressed} suppressed' if suppressed else ''}."


def _checked(found: Iterable[Subject]) -> str:
    declared, looked_at, targets = set[tuple[int, str]](), set[tuple[int, str]](), dict[str, None]()
    for number, subject in enumerate(found):
        declared |= {(number, op.name) for op in subject.reading.project.ops if op.has_definition}
        for target in subject.targets:
            targets[target.name] = None
            ops = (op for table in tables(subject.reading, target) for op in table.checked)
            looked_at |= {(number, op.name) for op in ops}
    if not declared:
        return "no custom ops found"
    under = ", ".join(f"`{name}`" for name in targets)
    missed = len(declared - looked_at)
    unseen = f" ({counted(missed, 'op')} that no target looks at)" if missed else ""
    return f"checked {counted(len(looked_at), 'op')} under {under}{unseen}"

"""Writing a comment for each finding, that it be ignored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from opcheck.engine import reported
from opcheck.fix.document import documents
from opcheck.report.counts import counted
from opcheck.suppress.add import with_ignores
from opcheck.writing import write_whole
from opcheck_rules.model.finding import Finding


def add_ignores(findings: Iterable[Finding], reason: str) -> tuple[list[Finding], str]:
    """Write the comments, file by file; give the findings that are left to report, and what to say of the others."""
    found = sorted(findings, key=lambda finding: finding.primary)
    read, left, changed = documents(), list[Finding](), 0
    for path, group in groupby(found, key=lambda finding: finding.primary.path):
        of_file = list(group)
        document = read(path)
        try:
            ignored = with_ignores(document, of_file, reason) if document else None
        except UnicodeEncodeError:
            ignored = None
        left += ignored.left if ignored else of_file
        if ignored and len(ignored.left) < len(of_file):
            write_whole(Path(path), ignored.data)
            changed += 1
    return reported(left), _said(found, left, changed)


def _said(found: Sequence[Finding], left: Sequence[Finding], changed: int) -> str:
    ignored = counted(len(found) - len(left), "finding")
    rest = f"; {counted(len(left), 'finding')} no comment can be written for" if left else ""
    return f"Ignored {ignored} by comments in {counted(changed, 'file')}{rest}."

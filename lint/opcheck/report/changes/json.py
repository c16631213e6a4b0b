"""Changes for other programs, in the words of the tables' own document."""

from __future__ import annotations

from typing import Any

from opcheck.report.documents import dumped
from opcheck.report.entries import Entry
from opcheck.report.json import SCHEMA_VERSION
from opcheck.since.changes import Change, Direction
from opcheck.since.comparison import Comparison


def changes_document(comparison: Comparison) -> str:
    """The revision, every change with the cell as it was and as it is, and how many there are."""
    document: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "since": {"revision": comparison.revision.called, "commit": comparison.revision.commit},
        "targets": list(comparison.targets),
        "changes": list(map(_change, comparison.changes)),
        "summary": {str(direction): comparison.count(direction) for direction in Direction},
    }
    return dumped(document)


def _change(change: Change) -> dict[str, Any]:
    target, backend, context = change.column
    return {
        "change": str(change.direction),
        "op": change.op,
        "framework": change.framework,
        "target": target,
        "backend": backend,
        "context": context,
        "was": _cell(change.was),
        "now": _cell(change.now),
    }


def _cell(entry: Entry | None) -> dict[str, Any] | None:
    if entry is None:
        return None
    return {"status": str(entry.status), "via": entry.via, "condition": entry.condition, "reason": entry.reason}

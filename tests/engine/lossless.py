"""Whether reading what matters says the same of a project as reading everything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from opcheck.config import unconfigured
from opcheck.discovery import discover
from opcheck.engine import check, tables
from opcheck.read import read, read_everything
from opcheck.reading import Reading
from opcheck.report.entries import entries
from opcheck_rules import ALL_RULES
from opcheck_rules.model.target import Target

TARGETS = (
    Target("host", ("cpu", "numpy"), autodiff=True, compile=True, vmap=True),
    Target("device", ("cuda", "cupy"), assume={"'F' in os.environ": True, "env:X": True, "os.environ['X']": "1"}),
)


def shown(reading: Reading, folder: Path) -> Iterator[object]:
    """All that a user is shown of a project: its tables and its findings."""
    for target in TARGETS:
        for op in sorted(reading.project.ops, key=lambda op: (op.framework, op.name)):
            cells = entries(op, list(tables(reading, target)), (), folder)
            yield op.name, op.span, [(c.target, c.backend, c.context, c.status, c.via) for c in cells]
    for finding in check(reading, TARGETS, ALL_RULES):
        yield finding.code, finding.op, finding.backend, finding.severity, finding.primary


def is_lossless(folder: Path) -> bool:
    plain = unconfigured(folder)
    files = discover(plain, [folder])
    return list(shown(read(plain, files), folder)) == list(shown(read_everything(plain, files), folder))

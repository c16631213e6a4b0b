"""The rows of a project's dispatch tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import PurePath

from opcheck.engine import tables
from opcheck.report.entries import Row, entries

from .subjects import Subject


def rows_of(subject: Subject, backends: Collection[str], base: PurePath) -> Iterator[Row]:
    """The ops declared in the files that were asked for, by name, with their cells under every target.

    `backends` narrows the cells, where it names any; paths in reasons become relative to the folder `base`.
    """
    machines = [list(tables(subject.reading, target)) for target in subject.targets]
    for op in sorted(subject.reading.project.ops, key=lambda op: (op.framework, op.name)):
        if subject.files.asks_for(op.span.path):
            yield op, [entry for one in machines for entry in entries(op, one, backends, base)]

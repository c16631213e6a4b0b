"""Small sources, read as projects, and the tables that they make."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from msgspec.structs import replace
from tests.files import write_all

from opcheck.config import unconfigured
from opcheck.config.settings import Listed
from opcheck.discovery import files_at
from opcheck.read import read
from opcheck.reading import Reading
from opcheck.symbolic.facts import facts
from opcheck_rules.model.project import Op, Registration
from opcheck_rules.model.table import LiveCell, Table
from opcheck_rules.model.target import Target


@dataclass(frozen=True)
class Read:
    """A project that was read, and what its table says."""

    reading: Reading

    @property
    def names(self) -> list[str]:
        """The ops that have a row."""
        return [op.name for op in self.reading.project.ops]

    def op(self, name: str) -> Op:
        """The row of an op."""
        return next(op for op in self.reading.project.ops if op.name == name)

    def registrations(self, name: str, kind: str | None = None) -> list[Registration]:
        """What was registered for an op."""
        found = [r for r in self.reading.project.registrations if r.op == name]
        return [r for r in found if kind in (None, r.kind)]

    def cell(self, name: str, backend: str = "cpu", context: str = "forward", **target: Any) -> LiveCell:
        """One cell, for a machine with a CPU unless `target` says otherwise."""
        machine = Target("machine", target.pop("backends", ("cpu",)), **target)
        table = Table(self.reading.project, machine, facts(machine, self.reading.environment))
        op = self.op(name)
        return table.live(op, op.cells[backend, context])

    def status(self, name: str, backend: str = "cpu", context: str = "forward", **target: Any) -> str:
        """The status of one cell, with what supplies it where it is covered."""
        live = self.cell(name, backend, context, **target)
        via = live.outcomes[0].outcome.via if live.status == "covered" else None
        return f"{live.status}:{via}" if via else str(live.status)

    def reason(self, name: str, backend: str = "cpu", context: str = "forward") -> str:
        """Why one cell is what it is."""
        return "; ".join(o.outcome.reason for o in self.cell(name, backend, context).outcomes)


class Reader(Protocol):
    """Reads sources, by file name or all in one."""

    def __call__(
        self,
        source: str | Mapping[str, str],
        *,
        unsupported: Listed | None = None,
        compiled: tuple[str, ...] = (),
    ) -> Read: ...


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """Write sources to a folder and read them; one source alone is `pkg.py`."""

    def read_sources(
        source: str | Mapping[str, str],
        *,
        unsupported: Listed | None = None,
        compiled: tuple[str, ...] = (),
    ) -> Read:
        texts = {"pkg.py": source} if isinstance(source, str) else source
        paths = write_all(tmp_path, {name: textwrap.dedent(text) for name, text in texts.items()})
        settings = replace(unconfigured(tmp_path), unsupported=unsupported or {})
        libraries = tuple(tmp_path / name for name in compiled)
        for path in libraries:
            path.touch()
        # What lies under `tests` was not asked for, and is no entry.
        reported = frozenset(p for p in paths if "tests" not in p.relative_to(tmp_path).parts)
        return Read(read(settings, files_at(tmp_path, tuple(sorted(paths)), reported, compiled=libraries)))

    return read_sources

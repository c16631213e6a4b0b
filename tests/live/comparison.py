"""Hold the linter's table of an installed package against the live dispatcher's, cell by cell."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from opcheck.adapters.torch.namespaces import FRAMEWORK_OWN
from opcheck.config import unconfigured
from opcheck.discovery import discover
from opcheck.read import read
from opcheck.reading import Reading
from opcheck.summary.imports import imports_of
from opcheck.summary.source import read_source
from opcheck.symbolic.entries import entries, leads
from opcheck.symbolic.facts import facts
from opcheck.symbolic.modules import imported_names, lay_out
from opcheck_rules.model.project import Status
from opcheck_rules.model.table import LiveCell, Table
from opcheck_rules.model.target import Scalar, Target

_DISPATCHER = Path(__file__).with_name("dispatcher.py")


@dataclass(frozen=True)
class Package:
    """An installed package: its import name, and what to assume of its guards, by pattern."""

    name: str
    assume: Mapping[str, Scalar] = field(default_factory=dict[str, Scalar])

    @property
    def folder(self) -> Path | None:
        """Where it lies; None where it is not installed."""
        try:
            spec = find_spec(self.name)
        except ModuleNotFoundError:
            return None
        places = list(spec.submodule_search_locations or ()) if spec else []
        return Path(places[0]) if places else None


@dataclass
class Score:
    """How the cells compare. An op without a definition that was read is counted apart: its cells are not claimed."""

    agree: int = 0
    unknown: int = 0
    wrong: list[str] = field(default_factory=list[str])
    missing: list[str] = field(default_factory=list[str])
    hangs_on: Counter[str] = field(default_factory=Counter[str])

    @property
    def cells(self) -> int:
        """How many cells were compared."""
        return self.agree + self.unknown + len(self.wrong)

    def __str__(self) -> str:
        return f"{self.agree} agree, {len(self.wrong)} wrong, {self.unknown} unknown"


@dataclass
class Installed:
    """A package that was read once, to be compared under several machines."""

    package: Package
    reading: Reading
    first: list[str]

    def compare(self, device: str | None) -> tuple[Score, dict[str, Scalar]]:
        """The score on a machine with a CPU and perhaps one other device, and the lines that were assumed."""
        live = _live(self.first, device)
        assumed = dict(self._assumed())
        target = Target("machine", ("cpu", *filter(None, [device])), assume=assumed)
        table = Table(self.reading.project, target, facts(target, self.reading.environment))
        return _scored(table, live["ops"]), assumed

    def _assumed(self) -> Iterator[tuple[str, Scalar]]:
        """The package's assumptions, each for the expressions in the table's conditions that it fits."""
        outcomes = (o for op in self.reading.project.ops for cell in op.cells.values() for o in cell.outcomes)
        subjects = sorted({atom.subject for o in outcomes for atom in o.condition.support()})
        for pattern, value in self.package.assume.items():
            for subject in subjects:
                if fnmatchcase(subject, pattern):
                    yield subject, value


def installed(package: Package, folder: Path) -> Installed:
    """Read a package where it is installed."""
    settings = unconfigured(folder)
    files = discover(settings, [folder])
    imports = {path: imports_of(read_source(path)) for path in files.paths}
    imported = imported_names(statement for found in imports.values() for statement in found)
    layout = lay_out(files.root, imports, files.compiled, imported)
    first = entries(layout, leads(layout, imports), list(imports), ())
    return Installed(package, read(settings, files), list(first))


def _live(modules: list[str], device: str | None) -> dict[str, Any]:
    """The live dispatcher's table, once the package is imported in a process of its own."""
    command = [sys.executable, str(_DISPATCHER), json.dumps(modules), *filter(None, [device])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True, cwd="/")
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def _scored(table: Table, live: Mapping[str, Mapping[str, Mapping[str, str | None]]]) -> Score:
    score = Score()
    ops = {op.name: op for op in table.project.ops}
    for name, contexts in live.items():
        if name.partition("::")[0] in FRAMEWORK_OWN:
            continue
        if name not in ops:
            score.missing.append(name)
            continue
        for context, backends in contexts.items():
            for backend, via in backends.items():
                cell = table.live(ops[name], ops[name].cells[backend, context])
                _count(score, f"{name} {context} {backend}", cell, via)
    return score


def _count(score: Score, where: str, cell: LiveCell, via: str | None) -> None:
    status = cell.status if cell.defined else Status.HOLE
    if status in (Status.CONDITIONAL, Status.UNKNOWN):
        if cell.op.has_definition:
            score.unknown += 1
            score.hangs_on.update({a.render() for o in cell.outcomes for a in o.condition.support()})
        return
    ours = cell.outcomes[0].outcome.via if status is Status.COVERED else None
    if ours == via and cell.defined:
        score.agree += 1
    else:
        score.wrong.append(f"{where}: live {via}, read {ours}")

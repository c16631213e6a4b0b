"""The table of real packages with dispatchers of their own, by the descriptions that ship, is what they really have.

CI installs them into the folder that OPCHECK_LIVE_PACKAGES names.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from opcheck.config import unconfigured
from opcheck.discovery import discover
from opcheck.read import read
from opcheck.symbolic.facts import facts
from opcheck_rules.model.project import Status
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

from .mappings import served

_CLASSES = Path(__file__).with_name("classes.py")
_INSTALLED = os.environ.get("OPCHECK_LIVE_PACKAGES")

Cells = Mapping[str, Mapping[str, bool]]
"""By op and backend, whether a call does anything but raise."""


def package(name: str) -> Path:
    """Where a package lies; the test is skipped where none do."""
    if not _INSTALLED:
        pytest.skip("OPCHECK_LIVE_PACKAGES names no folder of packages")
    return Path(_INSTALLED) / name


def described(folder: Path) -> dict[str, dict[str, Status]]:
    """The table that the sources of a package make, with each backend for itself."""
    settings = unconfigured(folder)
    reading = read(settings, discover(settings, [folder]))
    ops = [op for op in reading.project.ops if op.framework in {d.name for d in settings.dispatchers}]
    found: dict[str, dict[str, Status]] = {op.name: {} for op in ops}
    for backend in reading.project.frameworks[ops[0].framework].backends:
        target = Target("live", (backend,))
        table = Table(reading.project, target, facts(target, reading.environment))
        for op in ops:
            found[op.name][backend] = table.live(op, op.cells[backend, "forward"]).status
    return found


def imported(name: str, folder: Path) -> dict[str, dict[str, bool]]:
    """What importing a package with a class for each backend shows."""
    environment = {**os.environ, "PYTHONPATH": str(folder.parent)}
    done = subprocess.run(
        [sys.executable, str(_CLASSES), name], env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    found: dict[str, dict[str, bool]] = json.loads(done.stdout.splitlines()[-1])
    return found


def assert_same(read: Mapping[str, Mapping[str, Status]], real: Cells) -> None:
    statuses = {True: Status.COVERED, False: Status.HOLE}

    assert read == {op: {backend: statuses[works] for backend, works in row.items()} for op, row in real.items()}


def holes(cells: Cells, backend: str) -> list[str]:
    return sorted(op for op, row in cells.items() if not row[backend])


@pytest.mark.slow
def test_pot_has_the_methods_that_importing_it_shows() -> None:
    folder = package("ot")
    real = imported("ot", folder)

    assert_same(described(folder), real)
    assert holes(real, "cupy") == ["sparse_coo_data", "unsqueeze"]
    assert holes(real, "tf") == ["sparse_coo_data"]


@pytest.mark.slow
def test_tensorcircuit_has_the_methods_that_importing_it_shows() -> None:
    folder = package("tensorcircuit")
    real = imported("tensorcircuit", folder)

    assert_same(described(folder), real)
    assert (len(holes(real, "cupy")), len(holes(real, "numpy"))) == (28, 8)


@pytest.mark.slow
@pytest.mark.parametrize(("version", "lacking"), [("0.10.20", 0), ("0.3.7", 5)])
def test_xarray_spatial_serves_what_its_sources_say(version: str, lacking: int) -> None:
    folder = package(f"{version}/xrspatial")
    real = served(folder)

    assert_same(described(folder), real)
    assert len(holes(real, "cupy")) == lacking

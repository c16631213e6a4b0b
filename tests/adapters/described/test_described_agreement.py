"""Reading a described dispatcher and asking it when it runs give the same table."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.files import write_all

from opcheck.config import load
from opcheck.discovery import discover
from opcheck.read import read, read_everything
from opcheck.reading import Reading
from opcheck.symbolic.facts import facts
from opcheck_rules.model.project import Status
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

from ..conftest import Read
from .conftest import shown
from .generated import BACKENDS, SHAPES, Live, Project


@contextmanager
def _running(folder: Path) -> Iterator[ModuleType]:
    """The project's own module, imported anew."""
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield importlib.import_module("lib")
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.partition(".")[0] == "lib"]:
            del sys.modules[name]


def _told(reading: Reading) -> Live:
    machine = Target("machine", BACKENDS, platform=sys.platform)
    table = Table(reading.project, machine, facts(machine, reading.environment))
    cells = [(op.name, b, table.live(op, op.cells[b, "forward"])) for op in reading.project.ops for b in BACKENDS]
    there = {(op, backend): cell for op, backend, cell in cells if cell.defined}
    assert all(cell.status in (Status.COVERED, Status.HOLE) for cell in there.values()), "nothing hangs on anything"
    return {place: cell.status is Status.COVERED for place, cell in there.items()}


def _write(project: Project, folder: Path) -> None:
    write_all(folder, project.files)
    (folder / "opcheck.toml").write_text(f"[[dispatchers]]\nname = 'own'\n{project.described}")


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=40, derandomize=True, deadline=None)
@given(data=st.data())
def test_the_table_is_what_the_dispatcher_has(shape: str, data: st.DataObject) -> None:
    project = data.draw(SHAPES[shape])
    with TemporaryDirectory() as name:
        folder = Path(name)
        _write(project, folder)
        try:
            with _running(folder) as lib:
                live = project.live(lib)
        except (TypeError, AttributeError):
            assume(False)  # Bases that no order suits make no class, a property is not set.
            raise
        known = load(folder / "opcheck.toml")
        files = discover(known, [folder])
        reading = read(known, files)
        assert _told(reading) == live
        assert shown(Read(reading)) == shown(Read(read_everything(known, files)))

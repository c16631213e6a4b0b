"""Reading a generated module and running it with real torch leave the same dispatch table."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from opcheck.config import unconfigured
from opcheck.discovery import files_at
from opcheck.read import read
from opcheck.symbolic.facts import facts
from opcheck_rules.model.project import Op, Status
from opcheck_rules.model.table import LiveCell, Table
from opcheck_rules.model.target import Target

from .programs import MARKS, Program, programs

_WORKER = Path(__file__).with_name("worker.py")


@dataclass
class Worker:
    """A process that keeps torch loaded."""

    process: subprocess.Popen[str]
    numbers: Iterator[int]

    def run(self, program: Program) -> dict[str, Any]:
        """What running the program leaves in the dispatcher."""
        asked: IO[str] | None = self.process.stdin
        answers: IO[str] | None = self.process.stdout
        assert asked is not None
        assert answers is not None
        asked.write(json.dumps({"namespace": program.namespace, "source": program.source}) + "\n")
        asked.flush()
        found: dict[str, Any] = json.loads(answers.readline())
        return found


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """A worker with torch, for as long as this module's tests run."""
    if find_spec("torch") is None:
        pytest.skip("torch is not installed")
    command = [sys.executable, str(_WORKER)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Worker(process, itertools.count())
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to write each module to."""
    return tmp_path_factory.mktemp("generated")


def _table(program: Program, folder: Path) -> Table:
    path = folder / "generated.py"
    path.write_text(program.source)
    reading = read(unconfigured(folder), files_at(folder, (path,), frozenset({path})))
    target = Target("machine", ("cpu",), assume={"installed:no_such_module_anywhere": False})
    return Table(reading.project, target, facts(target, reading.environment))


def _supplier(live: LiveCell) -> str | None:
    """What supplies a cell, which has to be settled."""
    assert live.status in (Status.COVERED, Status.HOLE, Status.EXCLUDED), live.outcomes
    return live.outcomes[0].outcome.via if live.status is Status.COVERED else None


def _check_call(op: Op, via: str | None, found: float | str) -> None:
    """Hold the CPU's forward cell against a call: it fails where there is a hole, else the kernel named ran."""
    if via is None:
        assert found == "NotImplementedError"
    elif not any(o.status is Status.COVERED and o.via != "CompositeImplicitAutograd" for o in _autograd(op)):
        assert found in ("no tensor", MARKS[via])


def _autograd(op: Op) -> Iterator[Any]:
    """The outcomes of the CPU's derivative: a kernel of its own there runs before any other."""
    return iter(op.cells["cpu", "autodiff"].outcomes)


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=600, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_reading_agrees_with_running(data: st.DataObject, worker: Worker, folder: Path) -> None:
    program = data.draw(programs(f"generated{next(worker.numbers)}"))
    live = worker.run(program)
    assume("error" not in live)
    table = _table(program, folder)
    ops = {op.name: op for op in table.project.ops if not op.defined.under(table.decide).fails}

    assert sorted(live["ops"]) == sorted(ops), program.source
    for name, contexts in live["ops"].items():
        for context, backends in contexts.items():
            found = {b: _supplier(table.live(ops[name], ops[name].cells[b, context])) for b in backends}
            assert found == backends, (name, context, program.source)
        _check_call(ops[name], contexts["forward"]["cpu"], live["calls"][name])

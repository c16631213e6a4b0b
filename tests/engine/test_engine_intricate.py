"""Guards that are too many to be told apart: what hangs on them is unknown, and nothing is lost of the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from opcheck.config import load, unconfigured
from opcheck.discovery import discover
from opcheck.engine import check, tables
from opcheck.read import read
from opcheck.reading import Reading
from opcheck_rules import ALL_RULES
from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.project import Status
from opcheck_rules.model.target import Target

COUNT = 22
TARGET = Target("machine", ("cpu", "cuda", "numpy", "cupy"), autodiff=True, compile=True)
# The first flags are all met before the second ones: a diagram of pairs of both doubles with each pair.
FLAGS = "import os\n" + "".join(f"if os.environ.get('A{i}'): pass\n" for i in range(COUNT))


def guarded(statement: str) -> str:
    """A statement under each of many guards."""
    lines = (
        f"if os.environ.get('A{i}') and os.environ.get('B{COUNT - 1 - i}'):\n    {statement}\n" for i in range(COUNT)
    )
    return FLAGS + "".join(lines)


TORCH = f"""
import torch
{guarded("torch.library.impl('ns::op', 'cuda', lambda x: x)")}
torch.library.define('ns::op', '(Tensor x) -> Tensor')
torch.library.impl('ns::op', 'cpu', lambda x: x)
torch.library.define('ns::plain', '(Tensor x) -> Tensor')
torch.library.impl('ns::plain', 'cpu', lambda x: x)
torch.ops.ns.op(1)
"""
NATIVE = f"""
from opcheck_runtime import op
@op(backends=['numpy'])
def plain(x): return x
{guarded("op(backends=['numpy', 'cupy'])(lambda x: x)")}
@op(backends=['numpy', 'cupy'])
def f(x): ...
def kernel(x): return x
{guarded("f.kernel('cupy')(kernel)")}
"""
CALLS = f"""
def register(op, device): return lambda function: function
register('plain', 'cpu')(len)
register('op', 'cpu')(len)
{guarded("register('op', 'cuda')(len)")}
"""
CLASSES = f"""
class Base:
    def op(self): raise NotImplementedError
class Cpu(Base):
    name = 'cpu'
    def op(self): return 1
{guarded("class Gpu(Base): name, op = 'cuda', len")}
"""
DESCRIBED = """
[[tool.opcheck.dispatchers]]
name = "mine"
backends = ["cpu", "cuda"]
"""


def _read(folder: Path, text: str, description: str = "") -> Reading:
    (folder / "m.py").write_text(text)
    plain = unconfigured(folder)
    if description:
        (folder / "pyproject.toml").write_text(DESCRIBED + description)
        plain = load(folder / "pyproject.toml")
    return read(plain, discover(plain, [folder]))


def _cells(reading: Reading, op: str) -> set[tuple[str, Status]]:
    """What the table says of an op going forward."""
    return {
        (live.cell.backend, live.status)
        for table in tables(reading, TARGET)
        for live in table.cells("forward")
        if live.op.name == op
    }


def _holes(reading: Reading, op: str) -> list[tuple[str, str | None]]:
    return [(f.code, f.backend) for f in check(reading, [TARGET], ALL_RULES) if f.op == op]


def test_an_op_of_pytorch_is_unknown_and_its_neighbour_is_not(tmp_path: Path) -> None:
    reading = _read(tmp_path, TORCH)

    assert {status for _, status in _cells(reading, "ns::op")} == {Status.UNKNOWN}
    assert not _holes(reading, "ns::op")
    assert ("OPC101", "cuda") in _holes(reading, "ns::plain")


def test_an_op_of_the_runtime_is_unknown_and_its_neighbour_is_not(tmp_path: Path) -> None:
    reading = _read(tmp_path, NATIVE)

    assert _cells(reading, "m.f") == {("numpy", Status.UNKNOWN), ("cupy", Status.UNKNOWN)}
    assert ("OPC101", "cupy") in _holes(reading, "m.plain")


def test_an_op_of_a_described_dispatcher_is_unknown_and_its_neighbour_is_not(tmp_path: Path) -> None:
    reading = _read(tmp_path, CALLS, 'shape = "registration"\ncallable = "m.register"\nop = 0\nbackend = 1\n')

    assert _cells(reading, "op") == {("cpu", Status.UNKNOWN), ("cuda", Status.UNKNOWN)}
    assert _cells(reading, "plain") == {("cpu", Status.COVERED), ("cuda", Status.HOLE)}


def test_classes_under_such_guards_may_be_for_any_backend(tmp_path: Path) -> None:
    reading = _read(tmp_path, CLASSES, 'shape = "classes"\nbase = "m.Base"\nbackend = "name"\n')

    assert ("cuda", Status.HOLE) not in _cells(reading, "op")


def test_a_class_whose_objects_take_too_much_to_make_is_for_the_backend_that_it_names_itself(tmp_path: Path) -> None:
    costly = """
class Gpu(Base):
    name = 'cuda'
    def __init__(self):
        for i in range(4000):
            self.left = i
            self.right = i
    def op(self): return 2
"""
    text = "class Base:\n    def op(self): raise NotImplementedError\n" + costly
    reading = _read(tmp_path, text, 'shape = "classes"\nbase = "m.Base"\nbackend = "name"\n')

    assert _cells(reading, "op") == {("cpu", Status.HOLE), ("cuda", Status.COVERED)}


def test_a_call_behind_such_guards_may_run_whatever_they_say(tmp_path: Path) -> None:
    leaving = "".join(
        f"    if os.environ.get('A{i}') and os.environ.get('B{COUNT - 1 - i}'): return\n" for i in range(COUNT)
    )
    reading = _read(tmp_path, f"import torch\n{FLAGS}def f():\n{leaving}    torch.ops.ns.op(1)\n")

    assert [use.condition.holds for use in reading.project.uses if use.op == "ns::op"] == [True]


def test_modules_imported_under_such_guards_are_reached_somehow(tmp_path: Path) -> None:
    names = [f"ops{i}" for i in range(12)]
    for name in names:
        (tmp_path / f"{name}.py").write_text(
            f"import torch\ntorch.library.define('ns::{name}', '(Tensor x) -> Tensor')\n"
        )
    reading = _read(tmp_path, guarded(f"import {', '.join(names)}"))

    assert sorted(op.name for op in reading.project.ops) == sorted(f"ns::{name}" for name in names)
    assert not any(op.defined.holds or op.defined.fails for op in reading.project.ops)


@pytest.mark.parametrize("limit", [40, 400])
def test_a_released_space_lets_what_is_too_intricate_stand_as_a_question(limit: int) -> None:
    space = Conditions(limit)
    ones, others = ([space.atom(f"{side}{i}") for i in range(10)] for side in "ab")
    space.release()
    pairs = [one & other for one, other in zip(ones, reversed(others), strict=True)]
    joined = space.any(pairs)

    assert not joined.holds and not joined.fails
    assert "one of too many cases" in joined.render()

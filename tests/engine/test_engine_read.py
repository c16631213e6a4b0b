"""Reading a project: every file, what cannot be read, and the interpreter left as it was."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from opcheck.config import unconfigured
from opcheck.discovery import files_at
from opcheck.read import read
from opcheck.reading import Reading


def _read(folder: Path, **sources: str) -> Reading:
    paths = []
    for name, text in sources.items():
        path = folder / f"{name}.py"
        path.write_text(text)
        paths.append(path)
    return read(unconfigured(folder), files_at(folder, tuple(paths), frozenset(paths)))


def test_files_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    reading = _read(tmp_path, good="x = 1", bad="def f(:")

    assert [Path(u.span.path).name for u in reading.project.unreadable] == ["bad.py"]
    assert [path.name for path in reading.read] == ["good.py", "bad.py"]


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(tmp_path: Path, enabled: bool) -> None:
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        _read(tmp_path, good="x = 1")
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_auxiliary_files_are_no_entries(tmp_path: Path) -> None:
    source = "import torch\ntorch.library.define('ns::op', '(Tensor x) -> Tensor')\n"
    (tmp_path / "tests").mkdir()
    paths = [tmp_path / "pkg.py", tmp_path / "tests" / "test_pkg.py"]
    paths[0].write_text("import torch\n")
    paths[1].write_text(source)
    unasked = read(unconfigured(tmp_path), files_at(tmp_path, tuple(paths), frozenset(paths[:1])))
    asked = read(unconfigured(tmp_path), files_at(tmp_path, tuple(paths), frozenset(paths)))

    assert [len(reading.project.ops) for reading in (unasked, asked)] == [0, 1]


@pytest.mark.parametrize(("calls", "said"), [(0, None), (1, "1 statement was"), (2, "2 statements were")])
def test_what_was_given_up_is_said(tmp_path: Path, calls: int, said: str | None) -> None:
    chain = "".join(f"def f{i}(): return f{i + 1}()\n" for i in range(60)) + "def f60(): return 1\n"

    warnings = _read(tmp_path, deep="import torch.library\n" + chain + "x = f0()\n" * calls).warnings

    place = f"{tmp_path / 'deep.py'}:63"
    whole = f"{said} too much to evaluate to the end, the first at {place}; what it may declare is unknown"
    assert warnings == (() if said is None else (whole,))


def test_in_much_python_only_what_may_declare_is_parsed(tmp_path: Path) -> None:
    much = "# " + "x" * 1_000_000 + "\n"

    assert not _read(tmp_path, much=much, bad="def f(:").project.unreadable
    assert len(_read(tmp_path, much=much, bad="import torch.library\ndef f(:").project.unreadable) == 1


def test_functions_that_make_each_other_come_to_an_end(tmp_path: Path) -> None:
    made = """
import torch
def outer(n):
    def inner(m):
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        outer(m)
        return outer
    return inner
"""

    assert [op.name for op in _read(tmp_path, made=made).project.ops] == ["ns::op"]

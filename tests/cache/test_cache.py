"""What is kept of a reading: as good as reading again, whatever has happened to the project or to the cache."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import opcheck.config.shipped as shipped_descriptions
import opcheck.read
from opcheck.cache.decode import decode
from opcheck.cache.encode import encode
from opcheck.cache.reading import reading_of
from opcheck.cache.store import folder_of_user, stamps_below
from opcheck.cache.written import Written
from opcheck.config import Settings, load, unconfigured
from opcheck.discovery import Files, discover
from opcheck.reading import Environment, Reading
from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.project import Project

OPS = """
import torch
from .flags import FAST

@torch.library.custom_op("ns::op", mutates_args=(), device_types="cpu")
def op(x: torch.Tensor) -> torch.Tensor:
    return x.clone()

if FAST and torch.cuda.is_available():
    @op.register_kernel("cuda")
    def _(x): return x.clone()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of three modules."""
    root = tmp_path / "project"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg/__init__.py").write_text("from . import ops\n")
    (root / "pkg/ops.py").write_text(OPS)
    (root / "pkg/flags.py").write_text("FAST = True\n")
    (root / "kernels.cpp").write_text("int x;\n")
    (root / "opcheck.toml").write_text("")
    return root


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The roots that were read, rather than taken from the cache."""
    made: list[Path] = []
    read = opcheck.read.read

    def counting(settings: Settings, files: Files) -> Reading:
        made.append(settings.root)
        return read(settings, files)

    monkeypatch.setattr(opcheck.read, "read", counting)
    return made


def _reading(root: Path, *, cached: bool = True) -> Reading:
    source = root / "opcheck.toml"
    settings = load(source) if source.exists() else unconfigured(root)
    return reading_of(settings, discover(settings, [root]), cached=cached)


def _said(reading: Reading) -> bytes:
    """All that is kept of a reading, told apart from any other: conditions of two are never the same object."""
    return msgspec.json.encode(encode(replace(reading, read=(), digests={})))


def _is_as_read_again(root: Path) -> bool:
    cached, again = _reading(root), _reading(root, cached=False)
    return _said(cached) == _said(again)


def test_what_did_not_change_is_not_read_again(project: Path, reads: list[Path]) -> None:
    first, second = _reading(project), _reading(project)

    assert reads == [project]
    assert _said(first) == _said(second)


def test_conditions_are_the_same_objects_where_they_are_equal(project: Path) -> None:
    _reading(project)
    found = _reading(project).project

    kernels = [r for r in found.registrations if r.key == "CUDA"]
    assert kernels
    assert not kernels[0].condition.holds
    assert (kernels[0].condition & kernels[0].condition) is kernels[0].condition
    assert found.ops[0].cells["cuda", "forward"] is found.ops[0].cells["cuda", "forward"]
    assert len(found.ops[0].cells) == len(dict(found.ops[0].cells))


def _edit(root: Path) -> None:
    (root / "pkg/flags.py").write_text("FAST = False\n")


def _edit_with_the_same_size(root: Path) -> None:
    (root / "pkg/flags.py").write_text("FAST = None\n")


def _delete(root: Path) -> None:
    (root / "pkg/flags.py").unlink()


def _rename(root: Path) -> None:
    (root / "pkg/flags.py").rename(root / "pkg/switches.py")


def _add(root: Path) -> None:
    (root / "pkg/more.py").write_text("import torch\ntorch.library.define('ns::more', '(Tensor x) -> Tensor')\n")


def _configure(root: Path) -> None:
    (root / "opcheck.toml").write_text('[unsupported]\n"ns::op" = ["cuda"]\n')


def _change_a_source(root: Path) -> None:
    (root / "kernels.cpp").write_text('TORCH_LIBRARY(other, m) { m.def("op(Tensor x) -> Tensor"); }\n')


@pytest.mark.parametrize(
    "change",
    [_edit, _edit_with_the_same_size, _delete, _rename, _add, _configure, _change_a_source],
)
def test_a_change_is_seen(project: Path, reads: list[Path], change: Callable[[Path], None]) -> None:
    _reading(project)
    change(project)

    assert _is_as_read_again(project)
    assert len(reads) == 3


def test_a_touched_file_is_known_by_its_content(project: Path, reads: list[Path]) -> None:
    _reading(project)
    for _ in range(2):
        os.utime(project / "pkg/flags.py")
        assert _is_as_read_again(project)

    assert len(reads) == 3


def test_another_python_reads_again(project: Path, reads: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    _reading(project)
    monkeypatch.setattr(sys, "version", "4.0")
    _reading(project)

    assert len(reads) == 2


def _file() -> Path:
    [file] = (found for found in (folder_of_user() / "opcheck").rglob("*") if found.is_file())
    return file


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"key": 1, "stamps": {}, "reading": {}}',
        b"[" * 100_000,
        b"cut off",
        b"no reading",
    ],
)
def test_a_file_that_is_no_cache_is_replaced(project: Path, reads: list[Path], content: bytes) -> None:
    _reading(project)
    whole = _file().read_bytes()
    if content == b"cut off":
        content = whole[: len(whole) // 2]
    if content == b"no reading":
        content = msgspec.json.encode(msgspec.json.decode(whole) | {"reading": encode_nothing()})
    _file().write_bytes(content)

    assert _is_as_read_again(project)
    assert _file().read_bytes() == whole
    assert len(reads) == 3


def encode_nothing() -> object:
    """A document that holds no reading."""
    lists: dict[str, list[object]] = {name: [] for name in ("atoms", "nodes", "spans", "errors", "names", "members")}
    empty: dict[str, object] = {"modules": {}, "statements": {}, "slots": []}
    return {**lists, **empty, "objects": [["Environment", []]], "root": ["r", 5, 0]}


def test_writers_at_once_leave_a_whole_file(project: Path) -> None:
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(_reading, [project] * 8))

    assert len(set(map(_said, found))) == 1
    assert _is_as_read_again(project)
    assert _file().name == "reading.json"


def test_projects_inside_each_other_are_kept_beside_each_other(project: Path, reads: list[Path]) -> None:
    (project / "pkg/opcheck.toml").write_text("")
    for _ in range(2):
        _reading(project)
        _reading(project / "pkg")

    assert reads == [project, project / "pkg"]


def test_without_a_cache_nothing_is_left(project: Path, reads: list[Path]) -> None:
    _reading(project, cached=False)
    _reading(project, cached=False)

    assert len(reads) == 2
    assert not (folder_of_user() / "opcheck").exists()


def test_where_nothing_can_be_kept_all_is_read(
    project: Path, reads: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    _reading(project)

    assert _is_as_read_again(project)
    assert len(reads) == 3


def test_a_touched_file_where_nothing_can_be_kept(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _reading(project)
    os.utime(project / "pkg/flags.py")
    monkeypatch.setattr("tempfile.NamedTemporaryFile", _full_disk)

    assert _is_as_read_again(project)


def _full_disk(*_: object, **__: object) -> object:
    raise OSError


def test_a_file_that_goes_away_while_it_is_read_is_not_kept(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = opcheck.read.read

    def deleting(settings: Settings, files: Files) -> Reading:
        reading = read(settings, files)
        (project / "kernels.cpp").unlink()
        return reading

    monkeypatch.setattr(opcheck.read, "read", deleting)
    _reading(project)

    assert not (folder_of_user() / "opcheck").exists()


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x"),
        ("linux", {}, "~/.cache"),
        ("darwin", {}, "~/Library/Caches"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local"),
        ("win32", {}, "~"),
    ],
)
def test_the_cache_lies_where_the_users_others_do(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], folder: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert folder_of_user() == Path(folder).expanduser()


def test_every_kind_of_value_comes_back() -> None:
    space = Conditions()
    condition = space.atom("a") & ~space.atom("b", "==", 2)
    named = {
        "name": ((condition, "text"), (~condition, b"\xff"), (space.true, 2.5), (space.false, 1j)),
        "other": ((condition | space.atom("c"), ...), (condition, None), (condition, True)),
        "empty": (),
        "sets": (
            (condition, frozenset({1, 2})),
            (~condition, frozenset({"a", "b"})),
            (space.true, frozenset({"b", "a"})),
        ),
    }
    reading = Reading(Project({}), Environment(frozenset({"b", "a"}), {"x": frozenset()}), (), 1, ("w",), named)

    found = decode(msgspec.json.decode(msgspec.json.encode(encode(reading)), type=Written))

    assert [(c.render(), v) for c, v in found.named["name"]] == [(c.render(), v) for c, v in named["name"]]
    assert [(c.render(), v) for c, v in found.named["other"]] == [(c.render(), v) for c, v in named["other"]]
    assert [(c.render(), v) for c, v in found.named["sets"]] == [(c.render(), v) for c, v in named["sets"]]
    assert found.named["empty"] == ()
    assert found.environment == reading.environment
    assert found.named["name"][0][0].support() == [Atom("a"), Atom("b", "==", 2)]


def test_a_value_of_no_known_kind_is_refused() -> None:
    with pytest.raises(TypeError):
        encode(Reading(Project({}), Environment(), (), 0, named={"x": ((Conditions().true, object()),)}))


OWN = """
[[dispatchers]]
name = "own"
shape = "classes"
base = "lib.Backend"
backend = "{backend}Backend"
backends = ["numpy", "cupy"]
"""
LIB = """
class Backend:
    def sum(self, x): raise NotImplementedError
class NumpyBackend(Backend):
    def sum(self, x): return x
class CupyBackend(Backend): pass
"""


@pytest.fixture
def shipped(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A description that is shipped of a package in the project."""
    file = project.parent / "shipped" / "lib.toml"
    file.parent.mkdir()
    file.write_text(OWN)
    (project / "lib").mkdir()
    (project / "lib/__init__.py").write_text(LIB)
    monkeypatch.setattr(shipped_descriptions, "FOLDER", file.parent)
    return file


def test_what_descriptions_say_comes_back(project: Path, shipped: Path, reads: list[Path]) -> None:
    assert shipped.exists()
    assert _is_as_read_again(project)
    assert [op.framework for op in _reading(project).project.ops] == ["torch", "own"]
    assert len(reads) == 2


def test_a_change_of_what_is_shipped_is_seen(project: Path, shipped: Path, reads: list[Path]) -> None:
    _reading(project)
    shipped.write_text(OWN.replace('"numpy", "cupy"', '"numpy"'))
    assert _is_as_read_again(project)
    assert _reading(project).project.frameworks["own"].backends == ("numpy",)
    assert len(reads) == 3


def test_what_python_compiles_of_a_package_is_no_change_of_it(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/module.py").write_text("x = 1\n")
    before = sorted(stamps_below(str(tmp_path)))
    (tmp_path / "inner/__pycache__").mkdir()
    (tmp_path / "inner/__pycache__/module.pyc").write_bytes(b"")

    assert sorted(stamps_below(str(tmp_path))) == before != []

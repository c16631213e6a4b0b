"""Which files of a real tree are read, and which are reported."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.files import write_all

from opcheck.config import ConfigError, load, unconfigured
from opcheck.discovery import Files, discover


def _tree(root: Path, *names: str) -> None:
    write_all(root, dict.fromkeys(names, ""))


def _configured(root: Path, text: str = "", asked: Iterable[str] = (".",)) -> Files:
    (root / "opcheck.toml").write_text(text)
    return discover(load(root / "opcheck.toml"), [(root / name).resolve() for name in asked])


def _names(root: Path, paths: Iterable[Path]) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in paths)


@pytest.mark.smoke
def test_files_are_sorted_by_kind(tmp_path: Path) -> None:
    _tree(tmp_path, "b.py", "a/z.py", "a/_C.so", "csrc/k.cu", "csrc/k.h", "README.md", "notes.pyc")

    files = _configured(tmp_path)

    assert _names(tmp_path, files.paths) == ["a/z.py", "b.py"]
    assert list(files.paths) == sorted(files.paths)
    assert _names(tmp_path, files.compiled) == ["a/_C.so"]
    assert _names(tmp_path, files.native_sources) == ["csrc/k.cu", "csrc/k.h"]
    assert files.reported == {*files.paths, *files.native_sources}


def test_caches_and_environments_are_not_part_of_a_project(tmp_path: Path) -> None:
    hidden = (".git", ".venv", ".tox", ".nox", "__pycache__", "node_modules", "lib/site-packages")
    _tree(tmp_path, "a.py", "env/pyvenv.cfg", "env/b.py", "venv/c.py", *(f"{name}/d.py" for name in hidden))

    assert _names(tmp_path, _configured(tmp_path).paths) == ["a.py", "venv/c.py"]


def test_include_and_exclude_are_patterns_at_the_root(tmp_path: Path) -> None:
    _tree(tmp_path, "src/a.py", "src/gen/b.py", "src/c_test_data.py", "tools/d.py", "e.py")

    files = _configured(tmp_path, 'include = ["src", "/e.py"]\nexclude = ["gen", "*_data.py"]')

    assert _names(tmp_path, files.paths) == ["e.py", "src/a.py"]


def test_a_negated_pattern_takes_back(tmp_path: Path) -> None:
    _tree(tmp_path, "src/a.py", "src/b.py")

    assert _names(tmp_path, _configured(tmp_path, 'include = ["src", "!b.py"]').paths) == ["src/a.py"]


@pytest.mark.parametrize("pattern", ["scr", "/", "src/*.pyx"])
def test_an_include_pattern_that_matches_nothing_is_an_error(tmp_path: Path, pattern: str) -> None:
    _tree(tmp_path, "src/a.py")

    with pytest.raises(ConfigError, match="matches no file") as caught:
        _configured(tmp_path, f'include = ["src", "{pattern}"]')

    assert caught.value.span is not None
    assert (caught.value.span.line, caught.value.span.column) == (1, 19)


def test_the_whole_project_is_read_and_what_was_asked_for_is_reported(tmp_path: Path) -> None:
    _tree(tmp_path, "a/x.py", "a/y.py", "b/z.py")

    files = _configured(tmp_path, asked=["a/x.py", "b"])

    assert _names(tmp_path, files.paths) == ["a/x.py", "a/y.py", "b/z.py"]
    assert _names(tmp_path, files.reported) == ["a/x.py", "b/z.py"]


def test_auxiliary_files_are_reported_when_asked_for_as_such(tmp_path: Path) -> None:
    _tree(
        tmp_path, "a.py", "tests/b.py", "pkg/test_c.py", "docs/conf.py", "benchmarks/d.py", "setup.py", "pkg/tests/e.py"
    )

    assert _names(tmp_path, _configured(tmp_path).reported) == ["a.py"]
    assert _names(tmp_path, _configured(tmp_path, asked=["pkg"]).reported) == []
    assert _names(tmp_path, _configured(tmp_path, asked=["pkg/test_c.py"]).reported) == ["pkg/test_c.py"]
    assert _names(tmp_path, _configured(tmp_path, asked=["tests", "pkg/tests"]).reported) == [
        "pkg/tests/e.py",
        "tests/b.py",
    ]


def test_without_a_configuration_only_what_was_asked_for_is_read(tmp_path: Path) -> None:
    _tree(tmp_path, "a/x.py", "a/y.py", "b/z.py", "tests/t.py")
    asked = [tmp_path / "a" / "x.py", tmp_path / "b", tmp_path / "tests"]

    files = discover(unconfigured(tmp_path), asked)

    assert _names(tmp_path, files.paths) == ["a/x.py", "b/z.py", "tests/t.py"]
    assert files.reported == set(files.paths)


def test_a_folder_of_tests_that_is_the_root_was_asked_for(tmp_path: Path) -> None:
    _tree(tmp_path, "tests/test_a.py")
    root = tmp_path / "tests"

    assert discover(unconfigured(root), [root]).reported == {root / "test_a.py"}


@pytest.mark.parametrize(
    "named", ["out/a.py", "out", "lib/site-packages/pkg", "lib/site-packages/pkg/b.py", "tools", "tools/c.py"]
)
def test_a_path_that_is_named_is_read_where_patterns_leave_it_out(tmp_path: Path, named: str) -> None:
    _tree(tmp_path, "src/main.py", "out/a.py", "lib/site-packages/pkg/b.py", "tools/c.py")
    (tmp_path / ".gitignore").write_text("out/\n")

    files = _configured(tmp_path, 'include = ["src"]', asked=[named])

    assert len(files.reported) == 1
    assert len(files.paths) == 2


@pytest.mark.parametrize("named", ["gen", "gen/a.py"])
def test_exclude_holds_for_what_is_named_too_and_says_so(tmp_path: Path, named: str) -> None:
    _tree(tmp_path, "b.py", "gen/a.py")

    with pytest.raises(ConfigError, match=r"Python or C\+\+ file") as caught:
        _configured(tmp_path, 'exclude = ["gen"]', asked=[named])

    assert caught.value.help == "`exclude` of the configuration leaves it out"


def test_a_folder_without_python_is_an_error(tmp_path: Path) -> None:
    _tree(tmp_path, "a.py", "data/b.txt")

    with pytest.raises(ConfigError, match=r"no Python or C\+\+ file is below `.*data`"):
        _configured(tmp_path, asked=["data"])


@pytest.mark.parametrize("name", ["README.md", "pipe.py"])
def test_what_is_no_python_file_cannot_be_asked_for(tmp_path: Path, name: str) -> None:
    _tree(tmp_path, "a.py", "README.md")
    os.mkfifo(tmp_path / "pipe.py")

    with pytest.raises(ConfigError, match=r"this is no Python or C\+\+ file to read"):
        _configured(tmp_path, asked=[name])


def test_sources_in_cpp_can_be_asked_for_by_themselves(tmp_path: Path) -> None:
    _tree(tmp_path, "a.py", "csrc/b.cpp", "csrc/c.cu")

    assert _configured(tmp_path, asked=["csrc"]).reported == {tmp_path / "csrc" / "b.cpp", tmp_path / "csrc" / "c.cu"}
    assert _configured(tmp_path, asked=["csrc/c.cu"]).reported == {tmp_path / "csrc" / "c.cu"}
    assert _configured(tmp_path, asked=["csrc/c.cu"]).paths == (tmp_path / "a.py",)


def test_links_are_not_followed(tmp_path: Path) -> None:
    _tree(tmp_path, "project/pkg/a.py", "elsewhere/b.py")
    root = tmp_path / "project"
    (root / "loop").symlink_to(root)
    (root / "out").symlink_to(tmp_path / "elsewhere")
    (root / "same.py").symlink_to(root / "pkg" / "a.py")

    assert _names(root, _configured(root).paths) == ["pkg/a.py"]


def test_pipes_and_devices_are_not_read(tmp_path: Path) -> None:
    _tree(tmp_path, "a.py")
    os.mkfifo(tmp_path / "pipe.py")

    assert _names(tmp_path, _configured(tmp_path).paths) == ["a.py"]


def test_a_project_inside_another_is_its_own(tmp_path: Path) -> None:
    _tree(tmp_path, "a.py", "inner/b.py", "skipped/opcheck.toml", "skipped/c.py")
    (tmp_path / "inner" / "pyproject.toml").write_text("[tool.opcheck]\n")

    files = _configured(tmp_path, 'exclude = ["skipped"]')

    assert _names(tmp_path, files.paths) == ["a.py"]
    assert _names(tmp_path, files.nested) == ["inner/pyproject.toml"]


def test_a_folder_of_nothing_but_projects_is_no_error(tmp_path: Path) -> None:
    _tree(tmp_path, "inner/opcheck.toml", "inner/b.py")

    files = discover(unconfigured(tmp_path), [tmp_path])

    assert files.paths == ()
    assert files.nested == (tmp_path / "inner" / "opcheck.toml",)


def test_a_folder_that_cannot_be_listed_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _tree(tmp_path, "a.py", "locked/b.py")
    scandir = os.scandir

    def refuse(path: str | Path) -> os._ScandirIterator[str]:  # pyright: ignore[reportPrivateUsage]
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)

    with pytest.raises(ConfigError, match=r"cannot list `.*locked`: Permission denied"):
        _configured(tmp_path)

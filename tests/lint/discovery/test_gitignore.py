"""Ignore files are honoured the way git does, without git."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.files import write_all

from opcheck.config import ConfigError, load, unconfigured
from opcheck.discovery import discover


def _found(root: Path) -> set[str]:
    (root / "opcheck.toml").write_text("")
    try:
        files = discover(load(root / "opcheck.toml"), [root])
    except ConfigError as error:
        assert "no Python or C++ file" in error.message
        return set()
    return {path.relative_to(root).as_posix() for path in files.paths}


def test_patterns_of_an_inner_folder_speak_last(tmp_path: Path) -> None:
    write_all(
        tmp_path,
        {
            ".gitignore": "*_gen.py\nbuild/\n",
            "a_gen.py": "",
            "build/b.py": "",
            "pkg/.gitignore": "!kept_gen.py\n/local.py\n",
            "pkg/kept_gen.py": "",
            "pkg/local.py": "",
            "pkg/sub/local.py": "",
        },
    )

    assert _found(tmp_path) == {"pkg/kept_gen.py", "pkg/sub/local.py"}


def test_the_exclude_file_of_the_repository_counts(tmp_path: Path) -> None:
    write_all(tmp_path, {".git/info/exclude": "mine.py\n", "mine.py": "", "pkg/mine.py": "", "ours.py": ""})

    assert _found(tmp_path) == {"ours.py"}


def test_patterns_above_a_path_reach_it_from_its_repository_and_no_farther(tmp_path: Path) -> None:
    write_all(
        tmp_path,
        {
            ".gitignore": "*.py\n",
            "repo/.git/HEAD": "",
            "repo/.gitignore": "x.py\n",
            "repo/a/x.py": "",
            "repo/a/y.py": "",
        },
    )
    folder = tmp_path / "repo" / "a"

    assert discover(unconfigured(folder), [folder]).paths == (folder / "y.py",)


def test_a_line_that_is_no_pattern_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"# note\n\n!\n/\nbad\xff.py\nx.py\n")
    write_all(tmp_path, {"x.py": "", "y.py": ""})

    assert _found(tmp_path) == {"y.py"}


def test_an_ignore_file_that_cannot_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_all(tmp_path, {".gitignore": "", "a.py": ""})
    read_text = Path.read_text

    def refuse(path: Path, encoding: str | None = None, errors: str | None = None) -> str:
        if path.name == ".gitignore":
            raise PermissionError(13, "Permission denied", str(path))
        return read_text(path, encoding, errors)

    monkeypatch.setattr(Path, "read_text", refuse)

    with pytest.raises(ConfigError, match=r"cannot read `.*gitignore`: Permission denied"):
        discover(unconfigured(tmp_path), [tmp_path])


_PARTS = st.sampled_from(["a", "b", "ab", "a*", "?", "*", "**", "[ab]"])
_PATHS = st.builds(str.__add__, st.sampled_from(["", "/"]), st.lists(_PARTS, min_size=1, max_size=3).map("/".join))
# Taking back is drawn for files alone: pathspec lets a folder that is taken back bring all that is below it.
_LINES = st.builds(str.__add__, _PATHS, st.sampled_from(["", "/", ".py", "/*.py"])) | _PATHS.map("!{}.py".format)


@pytest.mark.skipif(shutil.which("git") is None, reason="the judge is git itself")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(outer=st.lists(_LINES, max_size=3), inner=st.lists(_LINES, max_size=2))
def test_git_itself_leaves_out_the_same_files(tmp_path: Path, outer: list[str], inner: list[str]) -> None:
    root = tmp_path / "repo"
    if not root.exists():
        write_all(
            root, {f"{folder}{name}.py": "" for folder in ("", "a/", "a/b/", "ab/a/") for name in ("a", "b", "ab")}
        )
        subprocess.run(["git", "init", "-q", str(root)], check=True)
    write_all(root, {".gitignore": "\n".join(outer), "a/.gitignore": "\n".join(inner)})

    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "--others", "--exclude-standard", "*.py"],
        check=True,
        capture_output=True,
        text=True,
    )

    assert _found(root) == set(listed.stdout.split())

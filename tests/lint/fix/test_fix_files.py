"""How files are written: whole, in their own encoding and line endings, and only those of the project."""

from __future__ import annotations

import stat
import subprocess
import tempfile
from pathlib import Path

import pytest
from tests.lint.fix.conftest import CONFIG, Project

import opcheck.cli.fixing
from opcheck.fix.rounds import mend
from opcheck.fix.trial import Trial

UNUSED = "  # opcheck: ignore[OPC101]"
OP = """\
from opcheck_runtime import FloatArray, op


@op(backends=["numpy", "cupy"]){comment}
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by  # \N{LATIN SMALL LETTER E WITH ACUTE}
"""


@pytest.mark.parametrize(
    ("encoding", "before"),
    [
        ("utf-8", "# plain\n"),
        ("utf-8-sig", "# with a mark before it\n"),
        ("latin-1", "# -*- coding: latin-1 -*-\n"),
        ("iso8859-15", "#!/usr/bin/env python\n# vim: set fileencoding=iso8859-15 :\n"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_file_keeps_its_encoding_and_line_endings(project: Project, encoding: str, before: str, newline: str) -> None:
    def encoded(comment: str, backends: str) -> bytes:
        text = before + OP.format(comment=comment).replace('["numpy", "cupy"]', backends)
        return text.replace("\n", newline).encode(encoding)

    path = project.write(encoded(UNUSED, '[\n    "numpy",\n    "cuppy",\n]'))

    project.run("--fix")

    assert path.read_bytes() == encoded("", '[\n    "numpy",\n    "cupy",\n]')


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_lines_that_are_added_end_as_the_others_do(project: Project, newline: str) -> None:
    lines = '[\n    "numpy",\n]'
    text = OP.format(comment="").replace('["numpy", "cupy"]', lines).replace("\n", newline)
    path = project.write(text)

    project.run("--fix", "--unsafe-fixes")

    assert path.read_bytes().decode() == text.replace(f'"numpy",{newline}', f'"numpy",{newline}    "cupy",{newline}')


def test_a_file_keeps_its_mode_and_has_no_neighbours(project: Project) -> None:
    path = project.write(OP.format(comment=UNUSED))
    path.chmod(0o750)
    beside = sorted(project.root.iterdir())

    project.run("--fix")

    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert sorted(p for p in project.root.iterdir() if "cache" not in p.name) == beside


def test_a_link_is_not_followed(project: Project, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "opcheck.toml"
    text = CONFIG.replace("[tool.opcheck.", "[").rstrip() + f"{UNUSED}\n"
    outside.write_text(text)
    (project.root / "opcheck.toml").symlink_to(outside)
    project.write(OP.format(comment=""))

    result = project.run("--fix")

    assert (project.root / "opcheck.toml").is_symlink()
    assert outside.read_text() == text
    assert result.stderr.startswith("Fixed 0 findings in 0 files.\n")
    assert "warning[OPC603]" in result.stdout


def test_only_what_was_asked_for_is_fixed(project: Project) -> None:
    for name in ("asked/ops.py", "other/ops.py"):
        project.write(OP.format(comment=UNUSED), name)

    project.run("--fix", "asked")

    assert project.read("asked/ops.py") == OP.format(comment="")
    assert project.read("other/ops.py") == OP.format(comment=UNUSED)


@pytest.mark.parametrize("meanwhile", ["# someone else was here\n", None])
def test_a_file_that_changes_meanwhile_is_left(
    project: Project, monkeypatch: pytest.MonkeyPatch, meanwhile: str | None
) -> None:
    path = project.write(OP.format(comment=UNUSED))

    def slow(trial: Trial, *arguments: object) -> object:
        path.write_text(meanwhile) if meanwhile else path.unlink()
        return mend(trial, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(opcheck.cli.fixing, "mend", slow)

    result = project.run("--fix")

    assert (path.read_text() if path.exists() else None) == meanwhile
    assert result.exit_code == 2
    assert "error: `ops.py` was changed while it was being fixed" in result.stderr


def test_a_project_without_a_configuration_is_fixed_in_its_package(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("plain")
    package = folder / "pkg" / "sub"
    package.mkdir(parents=True)
    (folder / "pkg" / "__init__.py").write_text("")
    (package / "__init__.py").write_text("from pkg.sub.ops import scale\n")
    (package / "ops.py").write_text(OP.format(comment="").replace('"cupy"', '"cuppy"'))
    (package / "more.py").write_text(
        "from pkg.sub import scale\n\n\n@scale.kernel('numpy')\ndef _(x, by):\n    return x\n"
    )

    project.run("--fix", str(package))

    assert (package / "ops.py").read_text() == OP.format(comment="")


def test_what_is_installed_is_fixed_under_the_name_it_has(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("installed")
    (folder / "pkg-1.0.dist-info").mkdir()
    (folder / "pkg").mkdir()
    (folder / "pkg" / "ops.py").write_text(OP.format(comment="").replace('"cupy"', '"cuppy"'))

    project.run("--fix", str(folder / "pkg"))

    assert (folder / "pkg" / "ops.py").read_text() == OP.format(comment="")


def test_a_copy_that_cannot_be_made_is_said(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write(OP.format(comment=UNUSED))
    monkeypatch.setattr(tempfile, "tempdir", str(project.root / "gone"))

    result = project.run("--fix")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "error: cannot try fixes in a copy of the project: No such file or directory" in result.stderr
    assert project.read() == OP.format(comment=UNUSED)


def test_a_file_that_cannot_be_read_changes_nothing(project: Project) -> None:
    """It is missing in the copy, where it can't be read either."""
    project.write(OP.format(comment="").replace('"cupy"', '"cuppy"'))
    project.write(b"\xff\xfe = 'no Python'", "broken.py")
    project.write("def f(:\n  op\n", "wrong.py")

    project.run("--fix")

    assert project.read() == OP.format(comment="")


def test_the_diff_can_be_applied(project: Project) -> None:
    project.write(OP.format(comment=UNUSED).rstrip(), "pkg/one.py")
    project.write(OP.format(comment=UNUSED).replace("\n", "\r\n"), "pkg/two.py")
    project.write("# -*- coding: utf-8 -*-\n" + OP.format(comment=UNUSED), "three.py")
    before = {path: path.read_bytes() for path in project.root.rglob("*.py")}

    result = project.run("--diff")

    assert {path: path.read_bytes() for path in before} == before
    assert "\\ No newline at end of file\n" in result.stdout
    patch = result.stdout_bytes
    subprocess.run(["git", "apply", "--verbose"], input=patch, cwd=project.root, check=True, capture_output=True)
    applied = {path: path.read_bytes() for path in before}
    assert applied == {path: data.replace(UNUSED.encode(), b"") for path, data in before.items()}


def test_the_diff_names_files_as_findings_do(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write(OP.format(comment=UNUSED), "pkg/ops.py")
    monkeypatch.chdir(Path("pkg"))

    assert project.run("--diff", "..").stdout.startswith("--- a/ops.py\n+++ b/ops.py\n@@ -1,6 +1,6 @@\n")

"""The hook as its users have it: the real pre-commit, on a real repository, installing opcheck from a clone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.files import write

SOURCE = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (SOURCE / ".git").exists(), reason="pre-commit installs from a repository"),
]

CONFIG = """\
[tool.opcheck.targets.serve]
backends = ["numpy", "cupy"]
"""
OPS = """\
from opcheck_runtime import FloatArray, op


@op(backends=["numpy", "cupy"])
def scale(x: FloatArray, by: float) -> FloatArray: ...


@scale.kernel("numpy")
def _(x, by):
    return x * by
"""
KERNELS = """\
from filters.ops import scale


@scale.kernel("cupy")
def _(x, by):
    return x * by
"""


def _environment(home: Path) -> dict[str, str]:
    """An environment in which neither this machine's git settings nor a hook around this test have a say."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT", "COV"))
    }
    person = {f"GIT_{role}_{part}": "x@y" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return inherited | person | {"GIT_CONFIG_GLOBAL": os.devnull, "PRE_COMMIT_HOME": str(home), "PATH": path}


class Repository:
    """A git repository and the environment its commands run in."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )

    def git(self, *arguments: str) -> str:
        done = self.run("git", *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    def write(self, name: str, text: str) -> None:
        write(self.folder / name, text)

    def commit(self) -> subprocess.CompletedProcess[str]:
        """Try to commit whatever has changed."""
        self.git("add", "--all")
        return self.run("git", "commit", "-m", "a change")


@pytest.fixture(scope="module")
def opcheck_clone(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A repository that holds what this one tracks, as it stands in the working tree."""
    folder = tmp_path_factory.mktemp("opcheck")
    clone = Repository(folder, _environment(tmp_path_factory.mktemp("home")))
    for name in Repository(SOURCE, clone.environment).git("ls-files").splitlines():
        if (SOURCE / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(SOURCE / name, folder / name)
    clone.git("init", "--quiet")
    clone.git("add", "--all", "--force")
    clone.git("commit", "--quiet", "-m", "all of it")
    clone.git("tag", "v1")
    return clone


@pytest.fixture(scope="module")
def guarded(opcheck_clone: Repository, tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A project without holes whose commits go through the hook."""
    project = Repository(tmp_path_factory.mktemp("project"), opcheck_clone.environment)
    hooks = f"repos:\n- repo: {opcheck_clone.folder}\n  rev: v1\n  hooks:\n  - id: opcheck\n"
    project.write(".pre-commit-config.yaml", hooks)
    project.write("pyproject.toml", CONFIG)
    project.write("filters/__init__.py", "")
    project.write("filters/ops.py", OPS)
    project.write("filters/kernels.py", KERNELS)
    project.git("init", "--quiet")
    assert project.run("pre-commit", "install").returncode == 0
    first = project.commit()
    assert first.returncode == 0, first.stdout + first.stderr
    return project


@pytest.fixture
def project(guarded: Repository) -> Repository:
    guarded.git("reset", "--quiet", "--hard")
    return guarded


def _is_refused(project: Repository, code: str) -> bool:
    before = project.git("rev-parse", "HEAD")
    done = project.commit()
    assert f"error[{code}]: `filters.ops.scale`" in done.stdout + done.stderr
    return done.returncode != 0 and project.git("rev-parse", "HEAD") == before


def test_a_commit_that_drops_a_backend_is_refused(project: Repository) -> None:
    project.write("filters/ops.py", OPS.replace('["numpy", "cupy"]', '["numpy"]'))
    project.write("filters/kernels.py", "")

    assert _is_refused(project, "OPC101")


def test_a_commit_that_deletes_a_kernel_and_nothing_else_is_refused(project: Repository) -> None:
    (project.folder / "filters" / "kernels.py").unlink()

    assert _is_refused(project, "OPC103")


def test_a_commit_that_leaves_no_hole_passes(project: Repository) -> None:
    project.write("filters/ops.py", OPS + "\n\nPASSES = 2\n")

    done = project.commit()

    assert done.returncode == 0, done.stdout + done.stderr
    assert "opcheck" in done.stdout + done.stderr

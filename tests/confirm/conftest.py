"""Projects written on the spot, and `opcheck confirm` run in them as a user would."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.files import write

from opcheck.cli import main

HOLE = """\
    from opcheck_runtime import FloatArray, op

    @op(backends=["numpy"])
    def scale(x: FloatArray, by: float) -> FloatArray:
        return x * by
    """
IN_A_FUNCTION = """\
    from opcheck_runtime import FloatArray, op

    def make():
        @op(backends=["numpy"])
        def scale(x: FloatArray) -> FloatArray:
            return x

    make()
    """
BOTH = ("--backend", "numpy", "--backend", "cupy")


@dataclass(frozen=True)
class Project:
    """A folder of Python files, in which commands are run."""

    folder: Path

    def write(self, text: str, name: str = "ops.py") -> None:
        """Write a file of the project."""
        write(self.folder / name, textwrap.dedent(text))

    def run(self, *arguments: str) -> Result:
        """Run a command of opcheck's; errors of the tests' own are not hidden."""
        return CliRunner().invoke(main, arguments, catch_exceptions=False)

    def confirmations(self, *arguments: str) -> list[Any]:
        """What `opcheck confirm` says of each finding."""
        result = self.run("confirm", *arguments, "--format", "json")
        document = json.loads(result.stdout)
        assert sum(document["summary"].values()) == len(document["confirmations"])
        return list(document["confirmations"])

    def verdicts(self, *arguments: str) -> list[tuple[str, str]]:
        """The verdicts with what they rest on."""
        return [(c["verdict"], c["reason"]) for c in self.confirmations(*arguments)]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Give an empty project, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)

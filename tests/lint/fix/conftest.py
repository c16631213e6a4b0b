"""A small project, fixed from the command line as a user would."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from opcheck.cli import main

CONFIG = '[tool.opcheck.targets.serve]\nbackends = ["numpy", "cupy", "cpu", "cuda"]\n'


@dataclass(frozen=True)
class Project:
    """A folder that is the working directory, with a target that runs on every backend there is a test for."""

    root: Path

    def write(self, text: str | bytes, name: str = "ops.py") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, name: str = "ops.py") -> str:
        return (self.root / name).read_bytes().decode()

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(main, ["check", *arguments], catch_exceptions=False)

    def fixed(self, text: str, *arguments: str) -> str:
        """What `ops.py` holds once all there are fixes for is fixed; a second run changes nothing."""
        self.write(text)
        self.run("--fix", "--unsafe-fixes", *arguments)
        once = self.read()
        self.run("--fix", "--unsafe-fixes", *arguments)
        assert self.read() == once
        return once

    def findings(self, *arguments: str) -> list[Any]:
        found: list[Any] = json.loads(self.run("--format", "json", *arguments).stdout)["findings"]
        return found

    def codes(self, *arguments: str) -> list[str]:
        return [finding["code"] for finding in self.findings(*arguments)]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(CONFIG)
    return Project(tmp_path)

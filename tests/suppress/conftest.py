"""A project with one hole, which is the working directory."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.suppress.holes import CONFIG, hole, put


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    put("pyproject.toml", CONFIG)
    hole("")
    return tmp_path

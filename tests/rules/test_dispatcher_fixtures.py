"""The fixtures of described dispatchers: what they mark, how their reports read, and that every finding comes true."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.goldens import golden
from tests.rules.conftest import Check
from tests.rules.fixtures import FIXTURES, MARKER

from opcheck.cli import main

SHAPES = sorted(path for path in (FIXTURES / "dispatchers").iterdir())
Found = tuple[str, int, str, str]


@pytest.fixture(params=SHAPES, ids=lambda shape: shape.name)
def shape(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.param
    return folder


@pytest.fixture
def project(shape: Path, tmp_path: Path) -> Path:
    """A copy of the fixture, so that nothing is written beside it."""
    return Path(shutil.copytree(shape, tmp_path / shape.name, ignore=shutil.ignore_patterns("__pycache__")))


def marked(project: Path) -> Counter[Found]:
    return Counter(
        (path.relative_to(project).as_posix(), line, found["severity"], found["rule"])
        for path in project.rglob("*.py")
        for line, text in enumerate(path.read_text().splitlines(), 1)
        for found in MARKER.finditer(text)
    )


def test_a_dispatcher_has_the_holes_that_are_marked(project: Path, check: Check) -> None:
    findings = check.json(project)["findings"]
    places = [next(span for span in finding["spans"] if span["primary"]) for finding in findings]
    found = Counter(
        (place["path"], place["line"], finding["severity"], finding["rule"])
        for place, finding in zip(places, findings, strict=True)
    )

    assert found
    assert found == marked(project)


def test_a_report_reads_as_its_golden(shape: Path, project: Path, check: Check) -> None:
    report = check.text(project)

    assert report == golden(shape / "flagged.txt", report)


def test_every_finding_comes_true(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)

    result = CliRunner().invoke(main, ["confirm", "."], catch_exceptions=False)

    assert result.exit_code == 0, result.output
    assert "0 refuted, 0 not runnable" in result.output

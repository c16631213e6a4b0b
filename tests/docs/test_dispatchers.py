"""docs/dispatchers.md shows the fixtures as they are, and what is printed of them. `UPDATE_GOLDENS=1` writes both."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from opcheck.cli import main
from opcheck.config.shipped import FOLDER

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "dispatchers.md"
FIXTURES = ROOT / "fixtures" / "dispatchers"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCK = re.compile(r'^```(?P<language>\w+) title="(?P<title>[^"]+)"\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)
MARKER = re.compile(r"  # (error|warning): \[[a-z-]+\]$", re.MULTILINE)


def _wanted(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[re.Match[str], str]]:
    """Each block with the text that it should have: a fixture without its markers, or what commands print there."""
    for block in BLOCK.finditer(TEXT):
        place = FIXTURES / block["title"]
        if block["language"] == "console":
            monkeypatch.chdir(place)
            yield block, "".join(f"$ {c}\n{_run(c)}" for c in re.findall(r"^\$ (.*)$", block["text"], re.MULTILINE))
        else:
            yield block, MARKER.sub("", place.read_text(encoding="utf-8"))


def _run(command: str) -> str:
    return CliRunner().invoke(main, shlex.split(command)[1:], catch_exceptions=False).output


def test_what_is_shown_is_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    found = list(_wanted(monkeypatch))
    wanted = TEXT
    for block, text in reversed(found):
        wanted = wanted[: block.start("text")] + text + wanted[block.end("text") :]
    if "UPDATE_GOLDENS" in os.environ:
        PAGE.write_text(wanted, encoding="utf-8")

    assert wanted == PAGE.read_text(encoding="utf-8")


def test_every_fixture_is_shown() -> None:
    shown = {block["title"].partition("/")[0] for block in BLOCK.finditer(TEXT)}

    assert shown == {path.name for path in FIXTURES.iterdir()}


def test_every_description_that_ships_is_listed() -> None:
    listed = re.findall(r"^\| [\w-]+ \| `(\w+)` \| `([\w-]+)` \|$", TEXT, re.MULTILINE)

    assert dict(listed) == {
        file.stem: next(table["name"] for table in tomllib.loads(file.read_text())["dispatchers"])
        for file in FOLDER.glob("*.toml")
    }

"""docs/dispatchers.md shows the fixtures as they are, and what is printed of them. `UPDATE_GOLDENS=1` writes both."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
from tests.docs.pages import DOCS, assert_shown, printed

from opcheck.config.shipped import FOLDER

PAGE = DOCS / "dispatchers.md"
FIXTURES = DOCS.parent / "fixtures" / "dispatchers"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCK = re.compile(r'^```(?P<language>\w+) title="(?P<title>[^"]+)"\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)
MARKER = re.compile(r"  # (error|warning): \[[a-z-]+\]$", re.MULTILINE)


def _wanted(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[re.Match[str], str]]:
    """Each block with the text that it should have: a fixture without its markers, or what commands print there."""
    for block in BLOCK.finditer(TEXT):
        place = FIXTURES / block["title"]
        if block["language"] == "console":
            monkeypatch.chdir(place)
            yield block, printed(block["text"])
        else:
            yield block, MARKER.sub("", place.read_text(encoding="utf-8"))


def test_what_is_shown_is_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")

    assert_shown(PAGE, list(_wanted(monkeypatch)))


def test_every_fixture_is_shown() -> None:
    shown = {block["title"].partition("/")[0] for block in BLOCK.finditer(TEXT)}

    assert shown == {path.name for path in FIXTURES.iterdir()}


def test_every_description_that_ships_is_listed() -> None:
    listed = re.findall(r"^\| [\w-]+ \| `(\w+)` \| `([\w-]+)` \|$", TEXT, re.MULTILINE)

    assert dict(listed) == {
        file.stem: next(table["name"] for table in tomllib.loads(file.read_text())["dispatchers"])
        for file in FOLDER.glob("*.toml")
    }

"""The pages that pages link to are there, and so are the files and folders that they name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.docs.pages import DOCS

ROOT = DOCS.parent
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])


def links(page: Path) -> list[str]:
    """What a page links to, but for addresses elsewhere and places on the page itself."""
    prose = CODE.sub("", page.read_text(encoding="utf-8"))
    return re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", prose)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_page_that_is_linked_to_is_there(page: Path) -> None:
    assert [link for link in links(page) if not (page.parent / link).exists()] == []


def test_the_readme_leads_to_every_page() -> None:
    linked = {(ROOT / link).resolve() for link in links(ROOT / "README.md")}

    assert {page for page in PAGES if page.name != "README.md"} <= linked

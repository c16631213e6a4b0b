"""Pages whose blocks show files and what commands print: what a block should have is put in its place."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from pathlib import Path

from click.testing import CliRunner
from tests.goldens import golden

from opcheck.cli import main

DOCS = Path(__file__).parents[2] / "docs"


def printed(commands: str) -> str:
    """The commands of a console block, each followed by what it prints."""
    return "".join(f"$ {command}\n{_run(command)}" for command in re.findall(r"^\$ (.*)$", commands, re.MULTILINE))


def _run(command: str) -> str:
    program, *arguments = shlex.split(command)
    assert program == "opcheck"
    return CliRunner().invoke(main, arguments, catch_exceptions=False).output


def assert_shown(page: Path, blocks: Iterable[tuple[re.Match[str], str]]) -> None:
    """Hold the blocks of a page, each with the text that it should have, against what stands there."""
    wanted = page.read_text(encoding="utf-8")
    for block, text in sorted(blocks, key=lambda shown: shown[0].start(), reverse=True):
        wanted = wanted[: block.start("text")] + text + wanted[block.end("text") :]

    assert wanted == golden(page, wanted)

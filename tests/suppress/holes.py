"""A project with a hole, or without, and what `opcheck check` says of it in the working directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from tests.files import write

from opcheck.cli import main

HOLE = """\
from opcheck_runtime import FloatArray, op


@op(backends=["numpy"]){comment}
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
"""
COVERED = HOLE.replace('["numpy"]', '["numpy", "cupy"]')
CONFIG = '[tool.opcheck.targets.serve]\nbackends = ["cupy"]\n'
TWO = CONFIG + '[tool.opcheck.targets.laptop]\nbackends = ["numpy"]\n'


def put(name: str, text: str) -> None:
    write(Path(name), text)


def hole(comment: str, name: str = "ops.py") -> None:
    put(name, HOLE.format(comment=comment))


def covered(comment: str, name: str = "ops.py") -> None:
    put(name, COVERED.format(comment=comment))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments], catch_exceptions=False)


def found(*arguments: str) -> list[Any]:
    found: list[Any] = json.loads(run("--format", "json", *arguments).stdout)["findings"]
    return found


def codes(*arguments: str) -> list[str]:
    return [finding["code"] for finding in found(*arguments)]


def said(*arguments: str) -> list[tuple[str, int, str, str, str]]:
    """Of each finding: its file and line, its message, its label and its help."""
    return [
        (span["path"], span["line"], finding["message"], span["label"], finding["help"])
        for finding in found(*arguments)
        for span in finding["spans"]
    ]

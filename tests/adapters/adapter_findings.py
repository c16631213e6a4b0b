"""What opcheck reports for one file, for tests that state what a body or a signature comes to."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

from click.testing import CliRunner

from opcheck.cli import main


def findings(folder: Path, code: str, text: str, *arguments: str) -> list[dict[str, Any]]:
    """The findings of one rule in a file of its own."""
    path = folder / "ops.py"
    path.write_text(dedent(text))
    command = ["check", str(path), "--select", code, *arguments, "--format", "json", "--exit-zero"]
    result = CliRunner().invoke(main, command, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)["findings"]
    return found

"""The fixtures of rules: what they mark, and projects made of them."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

from opcheck_rules.base import Rule

FIXTURES = Path(__file__).parents[2] / "fixtures"
MARKER = re.compile(r"(?P<severity>error|warning): \[(?P<rule>[a-z-]+)\]")
EVERYTHING = """\
[targets.all]
backends = ["numpy", "cupy", "cpu", "cuda"]
autodiff = true
compile = true
vmap = true
"""


def prepare(rule: Rule, name: str, folder: Path) -> list[str]:
    """Make a project of one of a rule's files and what stands beside them; give the command line to check it with."""
    for path in (FIXTURES / rule.name).iterdir():
        if path.name == name or path.stem not in ("flagged", "clean"):
            shutil.copy(path, folder)
    return [name, "--select", rule.code, *_arguments(folder / name)]


def prepare_for_everything(rule: Rule, folder: Path) -> None:
    """Make a project of what a rule flags; where the fixture says no target, one that asks for all there is."""
    prepare(rule, "flagged.py", folder)
    if not (folder / "pyproject.toml").exists():
        (folder / "opcheck.toml").write_text(EVERYTHING)


def _arguments(path: Path) -> list[str]:
    """The command line that the first line of a fixture asks for; without one it is checked as configured."""
    first = path.read_text("latin-1").splitlines()[0]
    return shlex.split(first.partition("opcheck:")[2])

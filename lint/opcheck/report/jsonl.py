"""The findings as JSON, one a line, for programs that read while others write."""

from __future__ import annotations

from .documents import dumped
from .json import finding_members
from .results import Results
from .snippet import View


def jsonl(results: Results, view: View) -> str:
    """Each finding as the JSON document has it."""
    members = finding_members(results.findings, view.base)
    return "".join(f"{dumped(member, indent=None)}\n" for member in members)

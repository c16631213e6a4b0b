"""A table for a comment on a change, or the summary of a pipeline."""

from __future__ import annotations

import re
from typing import Final

from opcheck_rules.model.finding import Finding

from .counts import tally
from .places import shown
from .remarks import details
from .results import Results
from .snippet import View
from .source import printable

# Texts hold code between backticks; nothing else in them is meant as markup.
_ESCAPES: Final = str.maketrans({character: f"&#{ord(character)};" for character in "&<>|*_~[]\\@#`"})
_CODE: Final = re.compile("`([^`]+)`")
_ENDS_A_CELL: Final = frozenset("|\\")


def markdown(results: Results, view: View) -> str:
    """How many findings there are, and a row for each."""
    head = f"### opcheck: {tally(results.findings)}\n"
    if not results.findings:
        return head
    rows = [_row(finding, view) for finding in results.findings]
    return "\n".join([head, "| | rule | place | finding |", "|---|---|---|---|", *rows, ""])


def _row(finding: Finding, view: View) -> str:
    span = finding.primary
    place = f"{shown(span.path, view.base)}:{span.line}"
    said = "<br>".join(map(_text, (finding.message, *details(finding, view.base))))
    return f"| {finding.severity} | {finding.code} {finding.rule} | {_text(place)} | {said} |"


def _text(text: str) -> str:
    parts = _CODE.split(printable(text))
    return "".join(_code(part) if place % 2 else part.translate(_ESCAPES) for place, part in enumerate(parts))


def _code(text: str) -> str:
    """A code span, or in HTML what would end the cell from within one."""
    return f"<code>{text.translate(_ESCAPES)}</code>" if _ENDS_A_CELL.intersection(text) else f"`{text}`"

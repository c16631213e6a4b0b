"""A comment that suppresses nothing: the rule it names is taken out of it, and with the last of them all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from opcheck.config.selectors import is_known
from opcheck_rules import ALL_RULES
from opcheck_rules.model.finding import Edit, Finding

from .document import Document, Documents

# What a comment says to opcheck: the rules, and the reason up to the end of the line or another comment beside it.
_IGNORE: Final = re.compile(
    r"""[ \t]*(?P<mark>\#|//)[ \t]*opcheck:[ \t]*ignore[ \t]*
    \[(?P<rules>[^\[\]\r\n]*)\](?:(?![ \t]+(?P=mark)[ \t])[^\r\n])*""",
    re.VERBOSE,
)
_LINE: Final = re.compile(r"(?:\r\n|\r|\n|\Z)")
_RULE: Final = re.compile(r"[^\s,]+")


def remove_ignore(finding: Finding, documents: Documents) -> Sequence[Edit]:
    """Take a rule that exists out of a comment where it suppresses nothing."""
    place = finding.primary
    document = documents(place.path)
    if document is None or not is_known(document.at(place), ALL_RULES):
        return ()
    return list(_edits(document, *document.extent(place)))


def _edits(document: Document, start: int, end: int) -> Iterator[Edit]:
    for found in _IGNORE.finditer(document.text):
        if found.start("rules") <= start and end <= found.end("rules"):
            rules = [rule.span() for rule in _RULE.finditer(document.text, *found.span("rules"))]
            stretch = _whole(document.text, found) if len(rules) == 1 else _one_of(rules, rules.index((start, end)))
            yield document.edit(*stretch, "")


def _one_of(rules: Sequence[tuple[int, int]], index: int) -> tuple[int, int]:
    """A rule with what parts it from its neighbour."""
    start, end = rules[index]
    return (start, rules[index + 1][0]) if index + 1 < len(rules) else (rules[index - 1][1], end)


def _whole(text: str, found: re.Match[str]) -> tuple[int, int]:
    """A comment with the blanks before it, and with its line where it has that for itself."""
    start, end = found.span()
    line_end = _LINE.match(text, end)
    has_line = line_end is not None and (start == 0 or text[start - 1] in "\r\n")
    return (start, line_end.end()) if line_end is not None and has_line else (start, end)

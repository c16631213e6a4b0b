"""Writing the comments that suppress findings, on the lines where they are reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from opcheck.fix.document import Document
from opcheck_rules import unreadable_file, unused_suppression
from opcheck_rules.model.finding import Edit, Finding

from .comments import ignore_comments

_OWN: Final = re.compile(r"(?<=opcheck:)(\s*ignore\s*\[)([^\[\]]*)")
_LINE: Final = re.compile(r"[^\r\n]*")
_HASH: Final = frozenset({".py", ".toml"})
# What can't be read has no comments, and what suppresses nothing is mended by taking it away.
_NEVER: Final = frozenset({unreadable_file.RULE.code, unused_suppression.RULE.code})


class Ignored(Struct, frozen=True):
    """A file with comments for findings, and the findings that no comment could be written for."""

    data: bytes
    left: list[Finding]


def with_ignores(document: Document, findings: Iterable[Finding], reason: str) -> Ignored:
    """Write for each finding of a file that its rule is ignored where it begins, else where it ends."""
    rules: dict[int, list[str]] = {}
    left: list[Finding] = []
    for finding in findings:
        line = next(_lines_for(document, finding, reason), None)
        if line is None:
            left.append(finding)
        elif finding.code not in rules.setdefault(line, []):
            rules[line].append(finding.code)
    return Ignored(document.edited(_edit(document, line, codes, reason) for line, codes in rules.items()), left)


def _lines_for(document: Document, finding: Finding, reason: str) -> Iterator[int]:
    """The lines on which a comment for a finding is one: not those that go on in the next, or end inside a string."""
    if finding.code in _NEVER:
        return
    for line in (finding.primary.line, finding.primary.end_line):
        if not _text(document, line).endswith("\\"):
            edited = document.edited([_edit(document, line, [finding.code], reason)]).decode(document.encoding)
            written = ignore_comments(document.path, edited)
            if any((comment.rule, comment.span.line) == (finding.code, line) for comment in written):
                yield line


def _edit(document: Document, line: int, rules: Sequence[str], reason: str) -> Edit:
    start, text = document.offset(line, 1), _text(document, line)
    own = _OWN.search(text)
    if own:
        known = own[2].strip()
        return document.edit(start + own.start(2), start + own.end(2), ", ".join(filter(None, [known, *rules])))
    mark = "#" if document.path.suffix in _HASH else "//"
    kept = text.rstrip()
    return document.edit(start + len(kept), start + len(text), f"  {mark} opcheck: ignore[{', '.join(rules)}] {reason}")


def _text(document: Document, line: int) -> str:
    found = _LINE.match(document.text, document.offset(line, 1))
    return found[0] if found else ""

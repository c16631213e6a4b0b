"""What a cell of a dispatch table shows, in a word."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from opcheck.report.entries import Entry
from opcheck_rules.model.project import Status


class Mark(Struct, frozen=True):
    """The word for a cell, its style on a terminal, and what it means."""

    text: str
    style: str
    meaning: str


OK: Final = Mark("ok", "green", "covered")
HOLE: Final = Mark("HOLE", "bold red", "nothing covers it")
IF: Final = Mark("if", "yellow", "depends on what the target leaves open")
UNKNOWN: Final = Mark("?", "yellow", "not read")
LEFT_OUT: Final = Mark("n/a", "dim", "left out on purpose")
STUB: Final = Mark("stub", "bold red", "its kernel only raises")
OFF: Final = Mark("off", "dim", "only behind what fails here, and not asked for")
NOT_ASKED: Final = Mark(".", "dim", "not covered, and not asked for")

MARKS: Final = (OK, HOLE, IF, UNKNOWN, LEFT_OUT, STUB, OFF, NOT_ASKED)
"""In the order of a legend."""

_OF_STATUS: Final = {
    Status.COVERED: OK,
    Status.HOLE: HOLE,
    Status.CONDITIONAL: IF,
    Status.UNKNOWN: UNKNOWN,
    Status.EXCLUDED: LEFT_OUT,
}


def mark(entry: Entry) -> Mark:
    """The mark of a cell."""
    if entry.stub:
        return STUB
    if entry.always:
        return OK
    if entry.status is Status.HOLE and not entry.asked:
        return OFF if entry.condition else NOT_ASKED
    return _OF_STATUS[entry.status]


def is_wanting(entry: Entry) -> bool:
    """Whether a target asks for a cell that is not simply covered."""
    return entry.asked and mark(entry) is not OK

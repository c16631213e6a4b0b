"""A misspelt name: the one that was meant in its place, in each literal that spells it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from opcheck_rules.model.finding import Correction, Edit, Finding, Span

from .document import Documents


def correct_backend(finding: Finding, documents: Documents) -> Sequence[Edit]:
    """Write the backend that was meant."""
    return _corrected(finding.correction, [finding.primary], documents)


def correct_op(finding: Finding, documents: Documents) -> Sequence[Edit]:
    """Write the op that was meant, wherever something is registered for the misspelt one."""
    return _corrected(finding.correction, [label.span for label in finding.labels], documents)


def _corrected(correction: Correction | None, places: Sequence[Span], documents: Documents) -> Sequence[Edit]:
    """Correct every place; none where one of them takes the name from elsewhere."""
    if correction is None:
        return ()
    edits = [edit for place in places for edit in _edits(place, _spellings(correction), documents)]
    return edits if len(edits) == len(places) else ()


def _spellings(correction: Correction) -> Mapping[str, str]:
    """How a name may be written, with what to write instead: without its namespace, where that is right."""
    spellings = {correction.written: correction.meant}
    namespace, _, own = correction.written.rpartition("::")
    other, _, meant = correction.meant.rpartition("::")
    return spellings | {own: meant} if namespace == other else spellings


def _edits(place: Span, meant: Mapping[str, str], documents: Documents) -> Iterator[Edit]:
    """Correct the one literal at a place that spells the name."""
    document = documents(place.path)
    if document is None:
        return
    names = "|".join(map(re.escape, meant))
    found = list(re.finditer(rf"(?P<quote>['\"])(?P<name>{names})(?P=quote)", document.at(place)))
    if len(found) == 1:
        first = document.offset(place.line, place.column)
        start, end = found[0].span("name")
        yield document.edit(first + start, first + end, meant[found[0]["name"]])

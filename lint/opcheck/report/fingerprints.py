"""Identities of findings, for services that keep one entry for each."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Final

from opcheck_rules.model.finding import Finding

from .places import shown

_DIGITS: Final = 16


def fingerprints(findings: Iterable[Finding], base: PurePath) -> Iterator[str]:
    """What stays of each finding when code moves: what it is about, and its file only where that is about no op.

    Where several are alike, as in two identical statements of one function, all but the first are numbered: a service
    would drop them.
    """
    met = Counter[tuple[str, ...]]()
    for finding in findings:
        parts = (*finding.about, "" if finding.op else shown(finding.primary.path, base))
        met[parts] += 1
        number = met[parts]
        yield _hashed(parts if number == 1 else (*parts, str(number)))


def _hashed(parts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]

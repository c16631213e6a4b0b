"""How many findings there are, by rule and by op and backend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from .documents import dumped
from .formats import Format
from .json import SCHEMA_VERSION
from .results import Results
from .snippet import View
from .source import printable


def statistics(results: Results, _view: View) -> str:
    """The counts as two lists, the largest first."""
    rules, cells = _by_rule(results), _by_cell(results)
    parts = [list(_lines(counts)) for counts in (rules, cells) if counts]
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts)


def statistics_document(results: Results, _view: View) -> str:
    """The counts as JSON."""
    rules = [{"code": code, "rule": rule, "count": count} for (code, rule), count in _ordered(_by_rule(results))]
    cells = [{"op": op, "backend": backend or None, "count": n} for (op, backend), n in _ordered(_by_cell(results))]
    document: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "rules": rules, "cells": cells}
    return dumped(document) + "\n"


STATISTICS: Final[Mapping[str, Format]] = {"full": statistics, "json": statistics_document}
"""The forms that counts are written in."""

_Counts = Mapping[tuple[str, str], int]


def _by_rule(results: Results) -> _Counts:
    return Counter((finding.code, finding.rule) for finding in results.findings)


def _by_cell(results: Results) -> _Counts:
    return Counter((finding.op, finding.backend or "") for finding in results.findings if finding.op)


def _ordered(counts: _Counts) -> list[tuple[tuple[str, str], int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _lines(counts: _Counts) -> Iterator[str]:
    digits = len(str(max(counts.values())))
    for names, count in _ordered(counts):
        yield printable(f"{count:>{digits}}  {' '.join(filter(None, names))}")

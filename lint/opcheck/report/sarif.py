"""SARIF 2.1.0, for services that keep findings over time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from msgspec.structs import asdict

from opcheck import __version__
from opcheck_rules import ALL_RULES
from opcheck_rules.base import Rule
from opcheck_rules.model.finding import Edit, Finding, Fix, Label, Span

from .documents import dumped
from .fingerprints import fingerprints
from .places import shown
from .remarks import details
from .results import Results
from .snippet import View

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(results: Results, view: View) -> str:
    """The findings as the results of one run, with the documentation of their rules."""
    found = zip(results.findings, fingerprints(results.findings, view.base), strict=True)
    codes = {finding.code for finding in results.findings}
    rules = [_rule(rule) for rule in ALL_RULES if rule.code in codes]
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "opcheck", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, identity, view.base) for finding, identity in found],
    }
    return dumped({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    documentation = rule.documentation.strip()
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": f"{rule.summary}."},
        "help": {"text": documentation, "markdown": documentation},
    }


def _result(finding: Finding, identity: str, base: PurePath) -> dict[str, Any]:
    primary = next(label for label in finding.labels if label.primary)
    others = [label for label in finding.labels if label is not primary]
    result = {
        "ruleId": finding.code,
        "level": str(finding.severity),
        "message": {"text": "\n".join([finding.message, *details(finding, base)])},
        "locations": [_location(primary, base)],
        "relatedLocations": [{"id": number, **_location(label, base)} for number, label in enumerate(others, 1)],
        "partialFingerprints": {"opcheck/v1": identity},
        "properties": _properties(finding),
    }
    return result | ({"fixes": [_fix(finding.fix, finding, base)]} if finding.fix else {})


def _properties(finding: Finding) -> dict[str, Any]:
    """What SARIF has no word for."""
    return {
        "op": finding.op,
        "framework": finding.framework,
        "backend": finding.backend,
        "context": finding.context,
        "targets": list(finding.targets),
        "condition": finding.condition,
        "predictedError": asdict(finding.error) if finding.error else None,
    }


def _location(label: Label, base: PurePath) -> dict[str, Any]:
    place = {"artifactLocation": _artifact(label.span.path, base), "region": _region(label.span)}
    return {"physicalLocation": place} | ({"message": {"text": label.text}} if label.text else {})


def _artifact(path: str, base: PurePath) -> dict[str, Any]:
    return {"uri": quote(os.fsencode(shown(path, base))), "uriBaseId": "%SRCROOT%"}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _fix(fix: Fix, finding: Finding, base: PurePath) -> dict[str, Any]:
    return {
        "description": {"text": f"{finding.help or finding.message} ({fix.applicability} fix)"},
        "artifactChanges": list(_changes(fix.edits, base)),
    }


def _changes(edits: Iterable[Edit], base: PurePath) -> Iterator[dict[str, Any]]:
    for path, inside in groupby(sorted(edits), key=lambda edit: edit.span.path):
        replacements = [{"deletedRegion": _region(e.span), "insertedContent": {"text": e.text}} for e in inside]
        yield {"artifactLocation": _artifact(path, base), "replacements": replacements}

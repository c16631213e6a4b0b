"""The JSON documents of `check` and `table`: a contract for other programs, versioned by `schema_version`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any, Final

from msgspec.structs import asdict

from opcheck import __version__
from opcheck_rules.model.finding import Edit, Finding, Fix, Label, Severity, Span
from opcheck_rules.model.project import Op
from opcheck_rules.model.target import Target

from .documents import dumped
from .entries import Entry, Row
from .fingerprints import fingerprints
from .places import shown
from .results import Results
from .snippet import View

SCHEMA_VERSION: Final = 1


def json_document(results: Results, view: View) -> str:
    """The findings of a run with the targets they were looked for under, and what was read for them."""
    failed = [shown(path, view.base) for path in results.failed]
    document: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "opcheck", "version": __version__},
        "targets": [_target(target) for target in results.targets],
        "findings": finding_members(results.findings, view.base),
        "files": {"read": results.read, "candidates": results.candidates, "failed": failed},
        "summary": {str(s): sum(f.severity is s for f in results.findings) for s in Severity},
    }
    return dumped(document) + "\n"


def table_document(targets: Sequence[str], rows: Iterable[Row], base: PurePath) -> str:
    """The dispatch tables: each op with its cells under each target."""
    ops = [_op(op, entries, base) for op, entries in rows]
    return dumped({"schema_version": SCHEMA_VERSION, "targets": list(targets), "ops": ops})


def _target(target: Target) -> dict[str, Any]:
    return {
        "name": target.name,
        "backends": list(target.backends),
        "autodiff": target.autodiff,
        "compile": target.compile,
        "vmap": target.vmap,
        "features": list(target.features),
    }


def finding_members(findings: Sequence[Finding], base: PurePath) -> list[dict[str, Any]]:
    """Findings as the documents have them."""
    return [_finding(*each, base) for each in zip(findings, fingerprints(findings, base), strict=True)]


def _finding(finding: Finding, identity: str, base: PurePath) -> dict[str, Any]:
    return {
        "code": finding.code,
        "rule": finding.rule,
        "severity": str(finding.severity),
        "op": finding.op,
        "framework": finding.framework,
        "targets": list(finding.targets),
        "backend": finding.backend,
        "context": finding.context,
        "condition": finding.condition,
        "message": finding.message,
        "notes": list(finding.notes),
        "help": finding.help,
        "predicted_error": asdict(finding.error) if finding.error else None,
        "spans": [_label(label, base) for label in finding.labels],
        "fix": _fix(finding.fix, base),
        "fingerprint": identity,
    }


def _fix(fix: Fix | None, base: PurePath) -> dict[str, Any] | None:
    if fix is None:
        return None
    return {"applicability": str(fix.applicability), "edits": [_edit(edit, base) for edit in fix.edits]}


def _edit(edit: Edit, base: PurePath) -> dict[str, Any]:
    span = edit.span
    start, end = [span.line, span.column], [span.end_line, span.end_column]
    return {"path": shown(span.path, base), "start": start, "end": end, "text": edit.text}


def _label(label: Label, base: PurePath) -> dict[str, Any]:
    return _span(label.span, base) | {"label": label.text, "primary": label.primary}


def _span(span: Span, base: PurePath) -> dict[str, Any]:
    return asdict(span) | {"path": shown(span.path, base)}


def _op(op: Op, entries: Iterable[Entry], base: PurePath) -> dict[str, Any]:
    return {
        "op": op.name,
        "framework": op.framework,
        "path": shown(op.span.path, base),
        "line": op.span.line,
        "external": op.external,
        "defined": op.has_definition,
        "cells": [_cell(entry) for entry in entries],
    }


def _cell(entry: Entry) -> dict[str, Any]:
    return {
        "target": entry.target,
        "backend": entry.backend,
        "context": entry.context,
        "status": str(entry.status),
        "via": entry.via,
        "condition": entry.condition,
        "reason": entry.reason,
    }

"""An explanation for programs: a contract, versioned by `schema_version`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any, Final

from opcheck.report.documents import dumped
from opcheck.report.json import finding_members
from opcheck.report.places import reason, shown
from opcheck_rules.model.finding import Span

from .explanation import CellStory, Explanation, MachineStory, Standing
from .known import Known
from .pieces import Piece

SCHEMA_VERSION: Final = 1


def explanation_document(explanations: Iterable[Explanation], base: PurePath) -> str:
    """The explanations of an op, one for each project that has it."""
    told = [_explanation(explanation, base) for explanation in explanations]
    return dumped({"schema_version": SCHEMA_VERSION, "explanations": told})


def _explanation(told: Explanation, base: PurePath) -> dict[str, Any]:
    return {
        "code": told.rule.code,
        "rule": told.rule.name,
        "op": told.name,
        "framework": told.framework,
        "defined_at": _place(told.span, base) if told.span else None,
        "pieces": [_piece(piece, base) for piece in told.pieces],
        "targets": [_machine(machine, base) for machine in told.machines],
    }


def _piece(piece: Piece, base: PurePath) -> dict[str, Any]:
    members = {"kind": piece.kind, "key": piece.key, "condition": piece.condition.render(), "detail": piece.detail}
    return {**members, **_place(piece.span, base)}


def _machine(machine: MachineStory, base: PurePath) -> dict[str, Any]:
    return {
        "name": machine.target.name,
        "backends": list(machine.target.backends),
        "defined": _standing(machine.defined) if machine.defined else None,
        "pieces": [_standing(standing) for standing in machine.pieces],
        "cells": [_cell(cell, base) for cell in machine.cells],
        "facts": [_fact(fact) for fact in machine.facts],
        "findings": finding_members(machine.findings, base),
    }


def _standing(standing: Standing) -> dict[str, Any]:
    return {"holds": standing.holds, "open": standing.left, "levers": list(standing.levers)}


def _cell(cell: CellStory, base: PurePath) -> dict[str, Any]:
    return {
        "backend": cell.backend,
        "context": cell.context,
        "status": str(cell.status),
        "asked": cell.asked,
        "possibilities": [
            {
                "status": str(possible.outcome.status),
                "reason": reason(possible.outcome, base),
                "condition": possible.outcome.condition.render(),
                **_standing(possible.standing),
            }
            for possible in cell.possibilities
        ],
    }


def _fact(fact: Known) -> dict[str, Any]:
    return {"fact": fact.atom.render(), "holds": fact.holds, "source": fact.source, "detail": fact.detail}


def _place(span: Span, base: PurePath) -> dict[str, Any]:
    return {"path": shown(span.path, base), "line": span.line, "column": span.column}

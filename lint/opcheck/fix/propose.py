"""From findings to their fixes: which kind of edit mends a finding of which rule, and whether that is safe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from opcheck_rules.model.finding import Applicability, Edit, Finding, Fix

from .backends import list_backend
from .code import Code, code_of
from .comments import remove_ignore
from .derivatives import declare_derivative, write_rule
from .document import Documents, documents
from .registrations import remove_registration
from .spelling import correct_backend, correct_op

_Fixer: TypeAlias = Callable[[Finding, Documents], Sequence[Edit]]


def with_fixes(findings: Iterable[Finding]) -> list[Finding]:
    """Each finding with its fix, where it has one. That it mends anything is for a check to find out."""
    opened = documents()
    return [replace(finding, fix=_fix(finding, opened)) for finding in findings]


def _fix(finding: Finding, opened: Documents) -> Fix | None:
    fixer = _FIXERS.get(finding.code)
    edits = fixer(finding, opened) if fixer else ()
    return Fix(_applicability(finding), tuple(edits)) if edits else None


def _applicability(finding: Finding) -> Applicability:
    """A fix is safe where no program can tell: in a comment, or where none runs because importing it raises."""
    raises = finding.code == "OPC401" and finding.error is not None and finding.error.when == "import"
    return Applicability.SAFE if raises or finding.code == "OPC603" else Applicability.UNSAFE


def _in_code(edits: Callable[[Finding, Code], Sequence[Edit]]) -> _Fixer:
    """A fixer of what is Python at the primary span."""

    def fixer(finding: Finding, opened: Documents) -> Sequence[Edit]:
        code = code_of(opened(finding.primary.path))
        return edits(finding, code) if code else ()

    return fixer


_FIXERS: Final[Mapping[str, _Fixer]] = {
    "OPC101": _in_code(list_backend),
    "OPC201": _in_code(declare_derivative),
    "OPC203": _in_code(write_rule),
    "OPC401": correct_backend,
    "OPC402": correct_op,
    "OPC404": _in_code(remove_registration),
    "OPC408": _in_code(remove_registration),
    "OPC603": remove_ignore,
}

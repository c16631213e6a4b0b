"""From findings to their fixes: which kind of edit mends a finding of which rule, and whether that is safe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from opcheck.reading import Statements
from opcheck_rules.model.finding import Applicability, Edit, Finding, Fix

from .backends import list_at, list_backend, may_be_listed
from .code import Code, Codes, codes
from .document import Document, Documents, documents

_InText: TypeAlias = Callable[[Finding, Documents], Sequence[Edit]]
_InCode: TypeAlias = Callable[[Finding, Code], Sequence[Edit]]


def with_fixes(findings: Iterable[Finding], statements: Statements) -> list[Finding]:
    """Each finding with its fix, where it has one. That it mends anything is for a check to find out.

    Where it is known where the `statements` of a file begin, only those that matter are parsed.
    """
    opened = documents()
    parsed = codes(opened, statements)
    return [replace(finding, fix=_fix(finding, opened, parsed)) for finding in findings]


def _fix(finding: Finding, opened: Documents, parsed: Codes) -> Fix | None:
    edits: Sequence[Edit] = ()
    if finding.code in _IN_TEXT:
        edits = _IN_TEXT[finding.code](finding, opened)
    elif finding.required:
        listing = next(label.span for label in finding.labels if not label.primary)
        code = parsed(listing)
        edits = list_at(listing, str(finding.backend), code) if code else ()
    elif finding.code in _IN_CODE and _is_worth_parsing(finding, opened(finding.primary.path)):
        code = parsed(finding.primary)
        edits = _IN_CODE[finding.code](finding, code) if code else ()
    return Fix(_applicability(finding), tuple(edits)) if edits else None


def _is_worth_parsing(finding: Finding, document: Document | None) -> bool:
    told = _TOLD_BY_TEXT.get(finding.code)
    return document is not None and (told is None or told(finding, document))


def _applicability(finding: Finding) -> Applicability:
    """A fix is safe where no program can tell: in a comment, or where none runs because importing it raises."""
    raises = finding.error is not None and finding.error.when == "import"
    meant = finding.code == "OPC401" or finding.required
    return Applicability.SAFE if (raises and meant) or finding.code == "OPC603" else Applicability.UNSAFE


def _later(module: str, name: str) -> Callable[[Finding, Any], Sequence[Edit]]:
    """The fixer of a module that is imported when it is asked for: most runs find few kinds of faults."""

    def edits(finding: Finding, where: Any) -> Sequence[Edit]:
        fixer: Callable[[Finding, Any], Sequence[Edit]] = getattr(import_module(f".{module}", __package__), name)
        return fixer(finding, where)

    return edits


_IN_TEXT: Final[Mapping[str, _InText]] = {
    "OPC401": _later("spelling", "correct_backend"),
    "OPC402": _later("spelling", "correct_op"),
    "OPC603": _later("comments", "remove_ignore"),
}
_TOLD_BY_TEXT: Final[Mapping[str, Callable[[Finding, Document], bool]]] = {"OPC101": may_be_listed}
"""What tells without parsing a file that there is nothing to mend so."""
_IN_CODE: Final[Mapping[str, _InCode]] = {
    "OPC101": list_backend,
    "OPC201": _later("derivatives", "declare_derivative"),
    "OPC203": _later("derivatives", "write_rule"),
    "OPC404": _later("registrations", "remove_registration"),
    "OPC408": _later("registrations", "remove_registration"),
}
"""The fixers of what is Python at the primary span."""

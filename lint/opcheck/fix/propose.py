"""From findings to their fixes: which kind of edit mends a finding of which rule, and whether that is safe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec.structs import replace

from opcheck.reading import Reading, Slots
from opcheck_rules.model.finding import Applicability, Edit, Finding, Fix

if TYPE_CHECKING:
    from .code import Code, Codes
    from .document import Documents

_InText: TypeAlias = "Callable[[Finding, Documents], Sequence[Edit]]"
_InCode: TypeAlias = "Callable[[Finding, Code], Sequence[Edit]]"


def with_fixes(findings: Iterable[Finding], readings: Sequence[Reading]) -> list[Finding]:
    """Each finding with its fix, where it has one. That it mends anything is for a check to find out.

    `readings` are those that the findings come from.
    """
    slots = {place: slot for one in readings for place, slot in one.slots.items()}

    @cache
    def sources() -> tuple[Documents, Codes]:
        from .code import codes  # noqa: PLC0415 - most fixes are told by what was read
        from .document import documents  # noqa: PLC0415

        opened = documents()
        return opened, codes(opened, {name: lines for one in readings for name, lines in one.statements.items()})

    return [replace(finding, fix=_fix(finding, slots, sources)) for finding in findings]


def _fix(finding: Finding, slots: Slots, sources: Callable[[], tuple[Documents, Codes]]) -> Fix | None:
    edits: Sequence[Edit] = ()
    if finding.required or finding.code == "OPC101":
        edits = _listed(finding, slots)
    elif finding.code in _IN_TEXT:
        edits = _IN_TEXT[finding.code](finding, sources()[0])
    elif finding.code in _IN_CODE:
        code = sources()[1](finding.primary)
        edits = _IN_CODE[finding.code](finding, code) if code else ()
    return Fix(_applicability(finding), tuple(edits)) if edits else None


def _listed(finding: Finding, slots: Slots) -> Sequence[Edit]:
    """The backend listed, for a kernel that is there or, where the list is what is at fault, a body that serves it."""
    place = next(label.span for label in finding.labels if label.primary != finding.required)
    slot = slots.get(place)
    return slot.filled(str(finding.backend)) if slot and (finding.required or slot.serves) else ()


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
_IN_CODE: Final[Mapping[str, _InCode]] = {
    "OPC201": _later("derivatives", "declare_derivative"),
    "OPC203": _later("derivatives", "write_rule"),
    "OPC404": _later("registrations", "remove_registration"),
    "OPC408": _later("registrations", "remove_registration"),
}
"""The fixers of what is Python at the primary span."""

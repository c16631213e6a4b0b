"""What was written that bears on an op: its declaration, what completes it, its gates, and the calls of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct

from opcheck_rules.base import Rule
from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Project, Registration, Use

_KINDS: Final = {"autodiff": "derivative", "compile": "fake", "vmap": "vmap"}
"""The kind of registration that fills a context beside the forward call."""
_ABOUT_CALLS: Final = ("OPC2", "OPC402", "OPC5")
_ABOUT_DECLARATIONS: Final = ("OPC4", "OPC504")


class Piece(Struct, frozen=True):
    """One statement: what `kind` of thing it is, the `key` it has, and the condition under which it counts."""

    kind: str
    key: str | None
    condition: Condition
    span: Span
    detail: str = ""


def pieces(
    project: Project, name: str, rule: Rule, contexts: Sequence[str], backends: Collection[str]
) -> Iterator[Piece]:
    """What bears on the cells of an op in some contexts on some backends; all that is registered for the 4xx rules."""
    everything = rule.code.startswith(_ABOUT_DECLARATIONS)
    kinds = {"define", "listing", "kernel", *(_KINDS[context] for context in contexts if context in _KINDS)}
    for made in sorted(project.registrations, key=lambda made: made.order):
        if made.op == name and (everything or (made.kind in kinds and _reaches(made, project, backends))):
            yield Piece(made.kind, made.key, made.condition, made.span, "" if made.known else "no such key")
    yield from _gates(project, name)
    for part in project.unresolved:
        if part.op == name:
            yield Piece("not read", str(part.part), part.condition, part.span, part.expression or "")
    if rule.code.startswith(_ABOUT_CALLS):
        yield from (_call(use) for use in project.uses if use.op == name)


def _reaches(made: Registration, project: Project, backends: Collection[str]) -> bool:
    """Whether a registration can matter on some backends: one for another backend alone cannot."""
    others = set(project.frameworks[made.framework].backends) - set(backends)
    return made.key is None or made.key.casefold() not in others


def _gates(project: Project, name: str) -> Iterator[Piece]:
    """The gates of an op, and where their features are enabled."""
    gates = [gate for gate in project.gates if gate.op == name]
    for gate in gates:
        yield Piece("gate", gate.backend or "autodiff", gate.condition, gate.span, f"feature `{gate.feature}`")
    features = {gate.feature for gate in gates}
    for enabling in project.enablings:
        if enabling.feature in features:
            yield Piece("enabling", enabling.feature, enabling.condition, enabling.span)


def _call(use: Use) -> Piece:
    evident = [f"its inputs lie on `{use.backend}`"] if use.backend else []
    evident += ["an input wants a gradient"] if use.wants_gradient else ["it can be tracked"] * use.tracked
    evident += [f"in the derivative of {', '.join(sorted(use.derivative_of))}"] if use.derivative_of else []
    return Piece("call" if use.is_call else "reference", None, use.condition, use.span, ", ".join(evident))

"""What is said of a finding beside its headline."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from opcheck_rules.base import LONGEST_GUARD
from opcheck_rules.model.finding import Applicability, Finding, PredictedError, Span

from .places import shown
from .source import printable

_OCCASIONS: Final = {
    "import": " at import",
    "call": "",
    "backward": " in backward",
    "compile": " under compile",
    "vmap": " under vmap",
}
_OPTIONS: Final = {
    Applicability.SAFE: "safe, with `--fix`",
    Applicability.UNSAFE: "unsafe, with `--fix --unsafe-fixes`",
}


def remarks(finding: Finding) -> Iterator[tuple[str, str]]:
    """What a call would raise, what that hangs on, facts, what to do, and whether that can be done here: each named."""
    if finding.error:
        error = finding.error
        yield _prediction(error), f"{error.type}: {error.message}" if error.message else error.type
    if finding.condition:
        yield "only when", _in_short(finding.condition, finding)
    for note in finding.notes:
        yield "note", note
    if len(finding.targets) > 1:
        yield "note", f"found under the targets {', '.join(f'`{target}`' for target in finding.targets)}"
    if finding.help:
        yield "help", finding.help
    if finding.fix:
        yield "fix", _OPTIONS[finding.fix.applicability]


def _in_short(condition: str, finding: Finding) -> str:
    """A condition as people read one: of what takes lines to write the beginning, and where all of it is told."""
    if len(condition) <= LONGEST_GUARD or finding.op is None:
        return condition
    beginning, _, _ = condition[:LONGEST_GUARD].rpartition(" ")
    return f"{beginning} ... (`opcheck explain {finding.code} {finding.op}` says all of it)"


def details(finding: Finding, base: PurePath) -> list[str]:
    """The same as lines, for forms that show no source: the other places come first."""
    others = [label for label in finding.labels if label.text and not label.primary]
    places = [f"{label.text}: {place(label.span, base)}" for label in others]
    said = [f"{name}: {text}" for name, text in remarks(finding)]
    return [printable(line) for text in (*places, *said) for line in text.split("\n")]


def place(span: Span, base: PurePath) -> str:
    """Where a span begins, the way compilers write it."""
    return f"{printable(shown(span.path, base))}:{span.line}:{span.column}"


def _prediction(error: PredictedError) -> str:
    verb = "would warn" if error.type.endswith("Warning") else "would raise"
    return verb + _OCCASIONS[error.when]

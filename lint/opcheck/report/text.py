"""Diagnostics for people: a headline, the source at every place that matters, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from opcheck.config import ConfigError
from opcheck_rules.model.finding import Finding, Label, PredictedError, Severity

from .snippet import Gutter, View, gutter_for, snippet
from .source import printable
from .style import styled

_COLOURS: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow"}
_OCCASIONS: Final = {
    "import": " at import",
    "call": "",
    "backward": " in backward",
    "compile": " under compile",
    "vmap": " under vmap",
}


def finding_text(finding: Finding, view: View) -> str:
    """One finding as a diagnostic of several lines."""
    colour = _COLOURS[finding.severity]
    gutter = gutter_for(finding.labels)
    head = _headline(f"{finding.severity}[{finding.code}]", finding.message, colour)
    return "\n".join([head, *snippet(finding.labels, gutter, view, colour), *_footers(finding, gutter, view)])


def config_error_text(error: ConfigError, view: View) -> str:
    """A request that cannot be carried out, in the same form."""
    labels = [Label(error.span, error.label, primary=True)] if error.span else []
    gutter = gutter_for(labels)
    help = [gutter.footer("help", error.help, view)] if error.help else []
    return "\n".join([_headline("error", error.message, "red"), *snippet(labels, gutter, view, "red"), *help])


def _headline(level: str, message: str, colour: str) -> str:
    return styled(level, f"bold {colour}") + styled(f": {printable(message)}", "bold")


def _footers(finding: Finding, gutter: Gutter, view: View) -> Iterator[str]:
    if finding.error:
        yield gutter.footer(_prediction(finding.error), f"{finding.error.type}: {finding.error.message}", view)
    if finding.condition:
        yield gutter.footer("only when", finding.condition, view)
    for note in finding.notes:
        yield gutter.footer("note", note, view)
    if len(finding.targets) > 1:
        targets = ", ".join(f"`{target}`" for target in finding.targets)
        yield gutter.footer("note", f"found under the targets {targets}", view)
    if finding.help:
        yield gutter.footer("help", finding.help, view)


def _prediction(error: PredictedError) -> str:
    verb = "would warn" if error.type.endswith("Warning") else "would raise"
    return verb + _OCCASIONS[error.when]

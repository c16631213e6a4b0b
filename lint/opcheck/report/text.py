"""Diagnostics for people: a headline, the source at every place that matters, and what to do."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from opcheck.config import ConfigError
from opcheck_rules.model.finding import Finding, Label

from .remarks import remarks
from .results import Results
from .snippet import View, gutter_for, snippet
from .source import printable
from .style import COLOURS, styled


def full(results: Results, view: View) -> str:
    """Every finding as a diagnostic, with a blank line after it. Most findings are in a file that others are in too."""
    reading_once = replace(view, lines_of=cache(view.lines_of))
    return "".join(f"{finding_text(finding, reading_once)}\n\n" for finding in results.findings)


def finding_text(finding: Finding, view: View) -> str:
    """One finding as a diagnostic of several lines."""
    colour = COLOURS[finding.severity]
    gutter = gutter_for(finding.labels)
    head = _headline(f"{finding.severity}[{finding.code}]", finding.message, colour)
    footers = [gutter.footer(name, text, view) for name, text in remarks(finding)]
    return "\n".join([head, *snippet(finding.labels, gutter, view, colour), *footers])


def config_error_text(error: ConfigError, view: View) -> str:
    """A request that cannot be carried out, in the same form."""
    labels = [Label(error.span, error.label, primary=True)] if error.span else []
    gutter = gutter_for(labels)
    help = [gutter.footer("help", error.help, view)] if error.help else []
    return "\n".join([_headline("error", error.message, "red"), *snippet(labels, gutter, view, "red"), *help])


def _headline(level: str, message: str, colour: str) -> str:
    return styled(level, f"bold {colour}") + styled(f": {printable(message)}", "bold")

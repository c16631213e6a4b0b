"""The documentation of rules as Markdown: a page each, and the index of them."""

from __future__ import annotations

from collections.abc import Iterable

from opcheck_rules.base import Rule


def page(rule: Rule) -> str:
    """What a rule says of itself, under its code and name."""
    return f"# {rule.code} {rule.name}\n\n{rule.documentation.strip()}"


def index(rules: Iterable[Rule]) -> str:
    """A table of rules, each with the page that is beside the index."""
    rows = [f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.summary} |" for rule in rules]
    return "\n".join(["# Rules", "", "| code | name | reports |", "|---|---|---|", *rows])

"""`opcheck explain`: a rule's documentation."""

from __future__ import annotations

import click

from opcheck.config import ConfigError
from opcheck.config.selectors import selector_help
from opcheck_rules import ALL_RULES
from opcheck_rules.base import Rule

from .console import show_markdown


@click.command("explain")
@click.argument("code", metavar="RULE")
def command(*, code: str) -> None:
    """Print the documentation of RULE, given by its code or its name."""
    rule = _rule(code)
    text = f"# {rule.code} {rule.name}\n\n{rule.documentation.strip()}"
    show_markdown(text)


def _rule(code: str) -> Rule:
    """The rule of that code or name. Raises ConfigError where there is none."""
    for rule in ALL_RULES:
        if code.casefold() in (rule.code.casefold(), rule.name):
            return rule
    raise ConfigError(f"unknown rule `{code}`", help=selector_help(code, ALL_RULES))

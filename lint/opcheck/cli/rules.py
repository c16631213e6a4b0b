"""`opcheck rules`: the list of them."""

from __future__ import annotations

import json

import click

from opcheck.explain.page import index
from opcheck_rules import ALL_RULES

from .formats import format_option_of


@click.command("rules", short_help="List the rules.")
@format_option_of(["text", "json", "markdown"])
def command(*, output_format: str) -> None:
    """List every rule with its code, its name and what it reports."""
    if output_format == "json":
        rules = [{"code": rule.code, "name": rule.name, "summary": rule.summary} for rule in ALL_RULES]
        click.echo(json.dumps({"schema_version": 1, "rules": rules}, indent=2))
        return
    if output_format == "markdown":
        click.echo(index(ALL_RULES))
        return
    width = max(len(rule.name) for rule in ALL_RULES)
    for rule in ALL_RULES:
        click.echo(f"{rule.code}  {rule.name:<{width}}  {rule.summary}")

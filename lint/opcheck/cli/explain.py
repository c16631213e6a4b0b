"""`opcheck explain`: a rule's documentation, or how it came to its answer about an op."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from msgspec.structs import asdict

from opcheck.config import ConfigError
from opcheck.config.error import suggestion
from opcheck.config.selectors import selector_help
from opcheck.explain.explanation import Explanation, explain, known_ops
from opcheck.explain.json import explanation_document
from opcheck.explain.page import page
from opcheck.explain.text import explanation_lines
from opcheck_rules import ALL_RULES, unreadable_file
from opcheck_rules.base import Rule, nearest

from .asked import Asked, target_options
from .console import HERE, notify, show, show_markdown, width_of
from .formats import format_option
from .paths import paths_argument
from .selection import completed
from .subjects import Subject, subjects
from .summary import announcements

_PRINTED_WIDTH: Final = 100


@click.command("explain", short_help="Print the documentation of a rule, or how it judges an op.")
@click.argument("code", metavar="RULE", shell_complete=completed)
@click.argument("op", metavar="[OP]", required=False)
@paths_argument
@target_options
@format_option
def command(*, code: str, op: str | None, paths: tuple[Path, ...], asked: Asked, output_format: str) -> None:
    """Print the documentation of RULE, given by its code or its name; with OP, what it makes of that op, and why.

    The op is looked for in the projects around PATHS: what is registered for it, what the facts of each target make of
    that, and what would change the answer.
    """
    rule = _rule(code)
    if op is None:
        if any(value for name, value in asdict(asked).items() if name != "no_cache"):
            raise ConfigError("the target options are about an op", help=f"name one: `opcheck explain {rule.code} OP`")
        _print_rule(rule, output_format)
    else:
        _print_op(rule, op, subjects(paths, asked), output_format)


def _print_rule(rule: Rule, output_format: str) -> None:
    if output_format == "json":
        members = {"code": rule.code, "name": rule.name, "documentation": rule.documentation}
        click.echo(json.dumps({"schema_version": 1, "rule": members}, indent=2))
        return
    show_markdown(page(rule))


def _print_op(rule: Rule, name: str, found: Sequence[Subject], output_format: str) -> None:
    if rule is unreadable_file.RULE:
        raise ConfigError(f"{rule.code} is about files, not about ops", help="`opcheck check` shows which")
    explanations = _explanations(rule, name, found)
    for line in announcements(found):
        notify(line)
    if output_format == "json":
        click.echo(explanation_document(explanations, HERE))
        return
    width = width_of(sys.stdout) or _PRINTED_WIDTH
    show("\n\n".join("\n".join(explanation_lines(told, HERE, width)) for told in explanations))


def _explanations(rule: Rule, name: str, found: Sequence[Subject]) -> list[Explanation]:
    """The op of that name, or that ends in it, in each project that has it. Raises ConfigError where none does."""
    names = {known for subject in found for known in known_ops(subject.reading.project)}
    meant = [name] if name in names else [known for known in names if _last_part(known) == name]
    if len(meant) > 1:
        raise ConfigError(f"`{name}` may be any of {', '.join(f'`{one}`' for one in sorted(meant))}", help="name one")
    if not meant:
        by_part = {_last_part(known): known for known in sorted(names)}
        near = nearest(name, names) or by_part.get(nearest(_last_part(name), by_part) or "")
        raise ConfigError(f"unknown op `{name}`", help=suggestion(near) or "`opcheck table` lists those that are read")
    having = [subject for subject in found if meant[0] in known_ops(subject.reading.project)]
    return [explain(rule, meant[0], subject.reading, subject.targets) for subject in having]


def _last_part(name: str) -> str:
    """The name without its namespace or module; an overload is a part of it."""
    return name.rpartition("::")[2] if "::" in name else name.rpartition(".")[2]


def _rule(code: str) -> Rule:
    """The rule of that code or name. Raises ConfigError where there is none."""
    for rule in ALL_RULES:
        if code.casefold() in (rule.code.casefold(), rule.name):
            return rule
    raise ConfigError(f"unknown rule `{code}`", help=selector_help(code, ALL_RULES))

"""The options that choose rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click
from msgspec import Struct

from opcheck.config import ConfigError, Settings
from opcheck.config.selectors import is_known, selector_help
from opcheck_rules import ALL_RULES


class Selection(Struct, frozen=True):
    """The selectors of a command line."""

    select: tuple[str, ...]
    ignore: tuple[str, ...]

    def over(self, settings: Settings) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What to select and what to ignore: `--select` stands in for all that the configuration says of it."""
        if self.select:
            return self.select, self.ignore
        return settings.select, (*settings.ignore, *self.ignore)


def rule_options(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command `--select` and `--ignore`, which it receives as one argument, `selection`."""

    @wraps(function)
    def gathering(*, select: tuple[str, ...], ignore: tuple[str, ...], **options: Any) -> None:
        function(selection=Selection(select, ignore), **options)

    return _SELECT(_IGNORE(gathering))


def completed(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """The codes and names of rules that begin so, for a shell to offer."""
    return [spelling for rule in ALL_RULES for spelling in (rule.code, rule.name) if spelling.startswith(begun)]


def _selectors(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Codes, names and prefixes, several to an option where commas part them."""
    selectors = tuple(selector.strip() for text in given for selector in text.split(","))
    for selector in selectors:
        if not is_known(selector, ALL_RULES):
            raise ConfigError(f"unknown rule `{selector}`", help=selector_help(selector, ALL_RULES))
    return selectors


_SELECT = click.option(
    "--select",
    multiple=True,
    metavar="RULES",
    callback=_selectors,
    shell_complete=completed,
    help="Only these rules: codes, names or prefixes of codes (OPC1). Replaces the configured choice.",
)
_IGNORE = click.option(
    "--ignore",
    multiple=True,
    metavar="RULES",
    callback=_selectors,
    shell_complete=completed,
    help="Not these rules.",
)

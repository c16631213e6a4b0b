"""The option that writes a comment for each finding."""

from __future__ import annotations

import click

from opcheck.config import ConfigError


def _one_line(_context: click.Context, _parameter: click.Parameter, reason: str | None) -> str | None:
    if reason is not None and (not reason.strip() or not reason.isprintable()):
        raise ConfigError("--add-ignore needs a reason, in one line", help="say why it may wait, for who reads it next")
    return reason and reason.strip()


add_ignore_option = click.option(
    "--add-ignore",
    metavar="REASON",
    callback=_one_line,
    help="Write an ignore comment with this reason for each finding, where it is reported.",
)

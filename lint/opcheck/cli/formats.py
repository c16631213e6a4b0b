"""The option for the form of a command's results."""

from __future__ import annotations

import click

format_option = click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The form of the results.",
)

"""The option for the form of a command's results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import click

F = TypeVar("F", bound=Callable[..., object])


def format_option_of(formats: Iterable[str]) -> Callable[[F], F]:
    """The option that chooses one of `formats`, the first of them where it is not given."""
    choices = list(formats)
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(choices),
        default=choices[0],
        show_default=True,
        help="The form of the results.",
    )


format_option = format_option_of(["text", "json"])

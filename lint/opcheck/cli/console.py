"""The two streams: results on standard output, everything else on standard error; colour only where it is wanted."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final, TextIO

import click

from opcheck.report.snippet import View

HERE: Final = Path()
"""The working directory, which is looked up where it is needed: messages without a place are for when it is gone."""


def show(text: str, stream: TextIO | None = None) -> None:
    """Print styled text, on standard output if no other stream is given, without its styles unless colour is wanted.

    A newline follows unless there is one already, or nothing to print.
    """
    to = stream or sys.stdout
    click.echo(text, file=to, color=wants_colour(to), nl=bool(text) and not text.endswith("\n"))


def notify(text: str) -> None:
    """Say something beside the results."""
    show(text, sys.stderr)


def view_for(stream: TextIO) -> View:
    """How diagnostics look on this stream: as wide as a terminal is, and unbounded elsewhere."""
    return View(HERE, width_of(stream))


def width_of(stream: TextIO) -> int | None:
    """How many cells a row has, where the stream is a terminal."""
    if not stream.isatty():
        return None
    from shutil import get_terminal_size  # noqa: PLC0415 - it brings every kind of compression with it

    return get_terminal_size().columns


def show_markdown(text: str) -> None:
    """Print a document on standard output: laid out on a terminal, as it is elsewhere."""
    if not sys.stdout.isatty():
        click.echo(text)
        return
    from rich.console import Console  # noqa: PLC0415 - half of what starting up costs, and nothing else needs it
    from rich.markdown import Markdown  # noqa: PLC0415

    colour = wants_colour(sys.stdout)
    Console(force_terminal=colour, color_system="standard" if colour else None).print(Markdown(text))


def wants_colour(stream: TextIO) -> bool:
    """Whether escape codes are welcome: by the variables that say so, and by what the stream is."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"

"""The two streams: results on standard output, everything else on standard error; colour only where it is wanted."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final, TextIO

from rich.console import Console
from rich.text import Text

from opcheck.report.snippet import View

HERE: Final = Path()
"""The working directory, which is looked up where it is needed: messages without a place are for when it is gone."""


def console_for(stream: TextIO) -> Console:
    """A console that writes text as it is: no markup, no wrapping, and no escape codes unless colour is wanted."""
    colour = _wants_colour(stream)
    return Console(
        file=stream,
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
    )


def view_for(console: Console) -> View:
    """How diagnostics look on this console: as wide as a terminal is, and unbounded elsewhere."""
    return View(HERE, console.width if console.file.isatty() else None)


def show(console: Console, text: Text | str) -> None:
    """Print lines on a console."""
    console.print(text)


def notify(text: str) -> None:
    """Say something beside the results."""
    show(console_for(sys.stderr), text)


def _wants_colour(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"

"""The files that a run's results are written to, beside standard output."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

import click
from msgspec import Struct

from opcheck.config import ConfigError
from opcheck.config.error import suggestion
from opcheck.report.formats import FORMATS
from opcheck.report.results import Results
from opcheck.report.snippet import View
from opcheck.writing import write_whole
from opcheck_rules.base import nearest

from .console import HERE
from .formats import F


class Output(Struct, frozen=True):
    """A file, and the format that is written to it."""

    format: str
    path: Path


def write(output: Output, results: Results) -> None:
    """Write the results of a check to a file. Raises ConfigError where that cannot be done."""
    save(output.path, FORMATS[output.format](results, View(HERE)))


def save(path: Path, text: str) -> None:
    """Write text without its styles to a file. Raises ConfigError where that cannot be done."""
    write_whole(path, click.unstyle(text).encode("utf-8", "backslashreplace"))


def output_option_of(formats: Collection[str]) -> Callable[[F], F]:
    """The option that names files to write results to, each in one of `formats`."""

    def outputs(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> tuple[Output, ...]:
        found = {output.path.resolve(): output for output in (_output(text, formats) for text in texts)}
        if len(found) < len(texts):
            raise ConfigError("two --output write to the same file")
        return tuple(found.values())

    return click.option(
        "--output",
        "outputs",
        multiple=True,
        metavar="FORMAT=PATH",
        callback=outputs,
        help="Write the results to a file too, in this format. Repeatable.",
    )


def _output(text: str, formats: Collection[str]) -> Output:
    """Part `FORMAT=PATH`. Raises ConfigError where it is none, or its file could not be made."""
    format, _, name = text.partition("=")
    if format not in formats:
        help = suggestion(nearest(format, formats)) or f"write FORMAT=PATH, with one of {', '.join(formats)}"
        raise ConfigError(f"unknown format `{format}`", help=help)
    path = Path(name)
    if not name or path.is_dir():
        raise ConfigError(f"--output {text} names no file", help=f"write --output {format}=PATH")
    if not path.parent.is_dir():
        raise ConfigError(f"no such folder: `{path.parent}`", help="--output makes files, but not their folders")
    return Output(format, path)


output_option = output_option_of(FORMATS)

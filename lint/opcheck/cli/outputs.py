"""The files that a run's results are written to, beside standard output."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

import click

from opcheck.config import ConfigError
from opcheck.config.error import suggestion
from opcheck.report.formats import FORMATS
from opcheck.report.results import Results
from opcheck.report.snippet import View
from opcheck_rules.base import nearest

from .console import HERE
from .formats import F


@dataclass(frozen=True, slots=True)
class Output:
    """A file, and the format that is written to it."""

    format: str
    path: Path


def write(output: Output, results: Results) -> None:
    """Write the results of a check to a file. Raises ConfigError where that cannot be done."""
    save(output.path, FORMATS[output.format](results, View(HERE)))


def save(path: Path, text: str) -> None:
    """Write text without its styles to a file. Raises ConfigError where that cannot be done."""
    try:
        replace_text(path, click.unstyle(text))
    except OSError as error:
        raise ConfigError(f"cannot write `{path}`: {error.strerror}") from None


def replace_text(path: Path, text: str) -> None:
    """Write a file in one step: whoever reads it meanwhile has what was there before, or all that is there now.

    Where the path is a device or a pipe, `text` goes through it.
    """
    written = path.resolve()
    draft = written if _is_special(written) else written.with_name(f".{written.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
        if draft is not written:
            draft.replace(written)
    except OSError:
        if draft is not written:
            draft.unlink(missing_ok=True)
        raise


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()


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

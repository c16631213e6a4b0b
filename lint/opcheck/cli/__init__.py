"""The command line: what was asked, passed to those who answer it, and the exit code that says how it went."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module
from typing import Any, Final

import click

from opcheck import __version__
from opcheck.collector import collector_paused

_COMMANDS: Final = ("check", "table", "confirm", "explain", "init", "baseline", "rules")
_INTERRUPTED: Final = 130
# Click gives these their exit codes; a reader that closes the pipe early has seen enough.
_HANDLED_BY_CLICK: Final = (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError)


class _Commands(click.Group):
    """Imports a command's module when it is asked for, and turns what goes wrong into exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"opcheck.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in _COMMANDS and not ctx.resilient_parsing:
            from .failures import unknown_command  # noqa: PLC0415 - most runs know what they want

            raise unknown_command(args[0], _COMMANDS)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with collector_paused():
                return super().invoke(ctx)
        except _HANDLED_BY_CLICK:
            raise
        except KeyboardInterrupt:
            ctx.exit(_INTERRUPTED)
        except Exception as error:
            from .failures import report  # noqa: PLC0415 - a run that does not fail does not pay for it

            ctx.exit(report(error))


@click.group(
    cls=_Commands,
    epilog="Exit codes: 0 nothing to report, 1 findings, 2 a wrong request or configuration, 3 a defect of opcheck.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def main() -> None:
    """Find the backends a custom operator is missing, before the machine that needs them does."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # It is closed: nobody wants to read it.
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115, PTH123 - it stays open; a path takes long to import
        elif isinstance(stream, io.TextIOWrapper):
            # Source text and paths hold what some terminals' encodings do not.
            stream.reconfigure(errors="backslashreplace")

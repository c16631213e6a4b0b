"""What is said, and which code is returned, when a command cannot do what it was asked."""

from __future__ import annotations

import errno
import sys
import traceback
from collections.abc import Sequence
from typing import Final

from opcheck.config import ConfigError
from opcheck.config.error import suggestion
from opcheck.report.text import config_error_text
from opcheck_rules.base import nearest

from .console import show, view_for

USAGE: Final = 2
DEFECT: Final = 3
# Whatever is written to standard output or to a temporary folder may meet these.
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


def unknown_command(name: str, known: Sequence[str]) -> ConfigError:
    """The error for a command that there is none of."""
    help = suggestion(nearest(name, known)) or f"the commands are {', '.join(known)}"
    return ConfigError(f"unknown command `{name}`", help=help)


def report(error: Exception) -> int:
    """Say on standard error what went wrong, and return the exit code for it."""
    if isinstance(error, OSError) and error.errno in _FULL:
        error = ConfigError(f"cannot write: {error.strerror}", help="make room, or write elsewhere")
    if isinstance(error, ConfigError):
        show(config_error_text(error, view_for(sys.stderr)), sys.stderr)
        return USAGE
    traceback.print_exception(error, file=sys.stderr)
    name = type(error).__name__
    print(f"opcheck failed with {name}: this is a defect of opcheck, please report it.", file=sys.stderr)  # noqa: T201
    return DEFECT

"""What is said, and which code is returned, when a command cannot do what it was asked."""

from __future__ import annotations

import sys
import traceback
from typing import Final

from opcheck.config import ConfigError
from opcheck.report.text import config_error_text

from .console import show, view_for

USAGE: Final = 2
DEFECT: Final = 3


def report(error: Exception) -> int:
    """Say on standard error what went wrong, and return the exit code for it."""
    if isinstance(error, ConfigError):
        show(config_error_text(error, view_for(sys.stderr)), sys.stderr)
        return USAGE
    traceback.print_exception(error, file=sys.stderr)
    name = type(error).__name__
    print(f"opcheck failed with {name}: this is a defect of opcheck, please report it.", file=sys.stderr)  # noqa: T201
    return DEFECT

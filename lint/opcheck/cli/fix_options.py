"""The options that fix findings."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click
from msgspec import Struct

from opcheck.config import ConfigError
from opcheck_rules.model.finding import Applicability


class Fixing(Struct, frozen=True):
    """What a command line asks to be fixed, and whether that is only to be shown."""

    fix: bool
    unsafe: bool
    diff: bool

    @property
    def is_asked(self) -> bool:
        """Whether any fix is to be made or shown."""
        return self.fix or self.diff

    @property
    def allowed(self) -> frozenset[Applicability]:
        """The fixes that may be."""
        return frozenset(Applicability) if self.unsafe else frozenset({Applicability.SAFE})


def fixing_options(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options about fixes, which it receives as one argument, `fixing`."""

    @wraps(function)
    def gathering(*, fix: bool, unsafe_fixes: bool, diff: bool, **options: Any) -> None:
        if unsafe_fixes and not (fix or diff):
            raise ConfigError("--unsafe-fixes needs --fix, which makes the fixes, or --diff, which shows them")
        function(fixing=Fixing(fix, unsafe_fixes, diff), **options)

    return _FIX(_UNSAFE(_DIFF(gathering)))


_FIX = click.option("--fix", is_flag=True, help="Make the safe fixes, and report what is left.")
_UNSAFE = click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: the unsafe fixes too.")
_DIFF = click.option("--diff", is_flag=True, help="Show in place of the findings what --fix would change.")

"""The options that say which targets a command is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any

import click
from msgspec import Struct

from opcheck.config.error import ConfigError
from opcheck.config.targets import backend_help
from opcheck_rules.model.target import Scalar, Target

from .completion import backends, targets


class Asked(Struct, frozen=True):
    """The target options of a command line; each field is filled by the option of its name.

    `no_cache` says that what earlier runs read is not to be used.
    """

    target: tuple[str, ...]
    backend: tuple[str, ...]
    autodiff: bool
    compile: bool
    vmap: bool
    feature: tuple[str, ...]
    assume: Mapping[str, Scalar]
    no_cache: bool = False

    def ad_hoc(self) -> Target | None:
        """The target that the options describe, where they describe one.

        Raises ConfigError for options that do not go together.
        """
        refining = [name for name in ("autodiff", "compile", "vmap", "feature", "assume") if getattr(self, name)]
        if not self.backend:
            if refining:
                help = "an ad hoc target is made of one or more --backend and what else it needs"
                raise ConfigError(f"--{refining[0]} needs --backend", help=help)
            return None
        if self.target:
            raise ConfigError("--target and --backend exclude each other: both say what to check against")
        return Target(
            "cli",
            self.backend,
            autodiff=self.autodiff,
            compile=self.compile,
            vmap=self.vmap,
            features=self.feature,
            assume=self.assume,
        )


def target_options(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the target options, which it receives as one argument, `asked`."""

    @wraps(function)
    def gathering(**options: Any) -> None:
        asked = Asked(**{name: options.pop(name) for name in Asked.__struct_fields__})
        function(asked=asked, **options)

    command: Callable[..., None] = gathering
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def check_known(names: Iterable[str], known: Sequence[str]) -> None:
    """Raise ConfigError at the first backend that is not among those known."""
    for name in names:
        if name not in known:
            raise ConfigError(f"unknown backend `{name}`", help=backend_help(name, known))


def assumption(text: str) -> tuple[str, Scalar]:
    """Part `expression=value`, whose value is a TOML scalar and whose expression may hold comparisons and quotes.

    Raises ConfigError where no `=` has an expression on its left and such a value on its right.
    """
    for at, character in enumerate(text):
        expression, value = text[:at].strip(), text[at + 1 :].strip()
        if character == "=" and "\n" not in text and expression and expression[-1] not in "=!<>":
            scalar = _scalar(value)
            if scalar is not None:
                return expression, scalar
    help = """write `expression=value` with a value as in TOML: true, 3, "2.13" (with its quotes)"""
    raise ConfigError(f"`{text}` assumes nothing", help=help)


def _scalar(text: str) -> Scalar | None:
    import tomllib  # noqa: PLC0415 - few runs assume anything

    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    return value if isinstance(value, (str, int, float)) else None


def _backends(_context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _assumptions(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, Scalar]:
    return dict(map(assumption, texts))


_OPTIONS = (
    click.option(
        "--target",
        multiple=True,
        metavar="NAME",
        shell_complete=targets,
        help="Check this configured target. Repeatable.",
    ),
    click.option(
        "--backend",
        multiple=True,
        metavar="NAME",
        callback=_backends,
        shell_complete=backends,
        help="Check against this backend, in place of the configured targets. Repeatable.",
    ),
    click.option("--autodiff", is_flag=True, help="Ask for derivatives on those backends."),
    click.option("--compile", is_flag=True, help="Ask for fake kernels on those backends."),
    click.option("--vmap", is_flag=True, help="Ask for batching rules on those backends."),
    click.option("--feature", multiple=True, metavar="NAME", help="Enable a feature there. Repeatable."),
    click.option(
        "--assume",
        multiple=True,
        metavar="EXPR=VALUE",
        callback=_assumptions,
        help="State what an expression is worth there, as a TOML value. Repeatable.",
    ),
    click.option("--no-cache", is_flag=True, help="Read every project anew, and keep nothing of what was read."),
)

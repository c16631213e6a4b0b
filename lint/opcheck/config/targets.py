"""The `targets` tables of a configuration, and the facts a target may state."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from packaging.version import InvalidVersion, Version

from opcheck.reading import Environment
from opcheck_rules.base import nearest
from opcheck_rules.model.target import Target

from .error import ConfigError, suggestion
from .section import Section

_LISTS: Final = ("backends", "features", "extras", "ops")
_FLAGS: Final = ("autodiff", "compile", "vmap")
_TEXTS: Final = ("platform", "python", "torch")
_PLATFORMS: Final = ("linux", "darwin", "win32")


def read_target(name: str, section: Section, environment: Environment, known: Sequence[str]) -> Target:
    """One target. Raises ConfigError where its table is malformed or names what nothing knows.

    `known` are the backends of all frameworks.
    """
    section.allow((*_LISTS, *_FLAGS, *_TEXTS, "assume"))
    backends = section.strings("backends")
    if not backends:
        help = 'list what it runs on, as in `backends = ["cuda"]`'
        raise ConfigError(f"target `{name}` lists no backend", section.document.key(section.keys), help=help)
    check_backends(section, "backends", known)
    _check_extras(section, environment)
    _check_texts(section)
    return Target(
        name,
        tuple(dict.fromkeys(backends)),
        autodiff=section.flag("autodiff"),
        compile=section.flag("compile"),
        vmap=section.flag("vmap"),
        features=section.strings("features"),
        extras=tuple(map(_normalised, section.strings("extras"))),
        assume=section.section("assume").scalars(),
        platform=section.text("platform"),
        python=section.text("python"),
        torch=section.text("torch"),
        ops=section.strings("ops"),
        origin=section.origin(),
    )


def check_backends(section: Section, key: str, known: Sequence[str]) -> None:
    """Raise ConfigError at the first backend listed under `key` that is not among those known."""
    for index, backend in enumerate(section.strings(key)):
        if backend not in known:
            span = section.document.value((*section.keys, key, index))
            raise ConfigError(f"unknown backend `{backend}`", span, help=backend_help(backend, known))


def backend_help(backend: str, known: Sequence[str]) -> str:
    """What to write instead of a backend that nothing knows."""
    return suggestion(nearest(backend.lower(), known)) or f"known backends are {', '.join(known)}"


def _check_extras(section: Section, environment: Environment) -> None:
    """An extra that the metadata does not have is a slip, unless the metadata leaves its extras to be computed."""
    known = list(environment.optional or ())
    for index, extra in enumerate(section.strings("extras")):
        if known and _normalised(extra) not in known:
            span = section.document.value((*section.keys, "extras", index))
            help = suggestion(nearest(extra, known)) or f"the extras of this project are {', '.join(known)}"
            raise ConfigError(f"unknown extra `{extra}`", span, help=help)


def _normalised(extra: str) -> str:
    """An extra's name as metadata has it. (`packaging` has the same, at the price of all it imports.)"""
    return re.sub(r"[-_.]+", "-", extra).lower()


def _check_texts(section: Section) -> None:
    platform = section.text("platform")
    if platform is not None and platform not in _PLATFORMS:
        span = section.document.value((*section.keys, "platform"))
        raise ConfigError(f"unknown platform `{platform}`", span, help=f"it is one of {', '.join(_PLATFORMS)}")
    for key in ("python", "torch"):
        version = section.text(key)
        if version is not None and not _is_version(version):
            span = section.document.value((*section.keys, key))
            raise ConfigError(f"`{version}` is not a version of {key}", span, help='write it as in "3.12"')


def _is_version(text: str) -> bool:
    try:
        Version(text)
    except InvalidVersion:
        return False
    return True

"""From paths to the projects around them, read, each with the targets it is held against."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from opcheck.adapters.described.frameworks import known_backends
from opcheck.cache.reading import reading_of
from opcheck.config import ConfigError, Settings, load, nearest_configuration, unconfigured
from opcheck.config.error import suggestion
from opcheck.discovery import Files, discover
from opcheck.reading import Reading
from opcheck.targets import inferred
from opcheck_rules.base import nearest
from opcheck_rules.model.project import Project
from opcheck_rules.model.target import Target

from .asked import Asked, check_known


class Subject(Struct, frozen=True):
    """One project of a run."""

    settings: Settings
    files: Files
    reading: Reading
    targets: tuple[Target, ...]


def subjects(paths: Iterable[Path], asked: Asked, columns: Sequence[str] = ()) -> list[Subject]:
    """Read every project that `paths` are in or hold. Raises ConfigError at the first that cannot be."""
    return [_subject(settings, files, asked) for settings, files in asked_projects(paths, (*asked.backend, *columns))]


def asked_projects(paths: Iterable[Path], backends: Sequence[str]) -> list[tuple[Settings, Files]]:
    """Every project that `paths` are in or hold. Raises ConfigError for a backend that none of them knows."""
    found = list(projects(paths))
    check_known(backends, known_backends(d for settings, _ in found for d in settings.dispatchers))
    return found


def _subject(settings: Settings, files: Files, asked: Asked) -> Subject:
    configured = configured_targets(settings, asked)
    reading = reading_of(settings, files, cached=not asked.no_cache)
    return Subject(settings, files, reading, configured or _inferred(reading.project))


def projects(paths: Iterable[Path]) -> Iterator[tuple[Settings, Files]]:
    """Each project once, with the paths that were asked for in it; a project found inside another comes after it."""
    waiting: dict[Path | None, list[Path]] = {}
    for path in paths:
        waiting.setdefault(nearest_configuration(path), []).append(path)
    while waiting:
        source = min(waiting, key=lambda file: len(file.parts) if file else 0)
        requested = waiting.pop(source)
        settings = load(source) if source else unconfigured(_common_folder(requested))
        files = discover(settings, requested)
        yield settings, files
        for nested in files.nested:
            if any(nested.is_relative_to(path) for path in requested):
                waiting.setdefault(nested, []).append(nested.parent)


def _common_folder(paths: Sequence[Path]) -> Path:
    return Path(os.path.commonpath([path if path.is_dir() else path.parent for path in paths]))


def configured_targets(settings: Settings, asked: Asked) -> tuple[Target, ...]:
    """The targets that the command line makes or picks, else all that are configured."""
    ad_hoc = asked.ad_hoc()
    if ad_hoc:
        return (ad_hoc,)
    by_name = {target.name: target for target in settings.targets}
    picked = dict.fromkeys(asked.target)
    for name in picked:
        if name not in by_name:
            raise _unknown_target(name, list(by_name), settings)
    return tuple(by_name[name] for name in picked) or settings.targets


def _unknown_target(name: str, known: Sequence[str], settings: Settings) -> ConfigError:
    help = suggestion(nearest(name, known)) or (f"configured are {', '.join(known)}" if known else "none is configured")
    return ConfigError(f"unknown target `{name}`", settings.origin.get("targets"), help=help)


def _inferred(project: Project) -> tuple[Target, ...]:
    """What the ops there are suggest; where there are none, a target without backends: some faults need no op."""
    return tuple(inferred(project)) or (Target("inferred", (), inferred=True),)

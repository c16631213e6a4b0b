"""From settings and the paths that were asked for to the files of a project."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Final

from opcheck.config import CONFIGURATIONS, ConfigError, Settings, configuration_in

from . import gitignore
from .files import COMPILED, NATIVE, PYTHON, Files, is_source
from .names import in_order, is_below, relative
from .walk import Enters, walk

_SOURCES: Final = PYTHON + NATIVE


def discover(settings: Settings, requested: Sequence[Path]) -> Files:
    """The files of the project, of which those at or below the `requested` paths (absolute, resolved) are reported.

    Without a configuration the requested paths are all that is read. A path that was asked for by name is read also
    where git or the `include` patterns leave it out, unless `exclude` does. Raises ConfigError when an `include`
    pattern matches nothing, a requested path holds no source, or a folder cannot be listed.
    """
    nested: list[Path] = []
    enters = _entering(settings, nested)
    starts = [settings.root] if settings.source else [path for path in requested if path.is_dir()]
    walked = {name for start in starts for name in walk(str(start), gitignore.above(start), enters)}
    found = _included(settings, walked)
    found |= _named(settings, requested, found, nested, enters)
    ordered = sorted(found, key=in_order)
    python, native = _of_kind(ordered, PYTHON), _of_kind(ordered, NATIVE)
    return Files(
        settings.root,
        python,
        requested=frozenset(map(str, requested)),
        extensions=_of_kind(ordered, COMPILED),
        native=native,
        nested=tuple(sorted(set(nested))),
    )


def _entering(settings: Settings, nested: list[Path]) -> Enters:
    """The test for folders that belong to the project; the configurations that claim others are added to `nested`."""
    root, is_excluded = str(settings.root), _matcher(settings.exclude)

    def enters(folder: str, names: Collection[str]) -> bool:
        if settings.exclude and is_excluded(relative(folder, root) + "/"):
            return False
        configuration = configuration_in(Path(folder)) if CONFIGURATIONS.intersection(names) else None
        if configuration:
            nested.append(configuration)
        return configuration is None

    return enters


def _included(settings: Settings, found: set[str]) -> set[str]:
    """The files that `include` (everything, where it is not given) and `exclude` leave."""
    if not settings.include and not settings.exclude:
        return found
    root = str(settings.root)
    inside = {relative(name, root): name for name in found}
    for pattern in settings.include:
        if not pattern.startswith("!") and not any(map(_matcher([pattern]), inside)):
            span = settings.origin[f"include.{pattern}"]
            raise ConfigError(f"`include` pattern `{pattern}` matches no file", span, label="nothing here")
    is_included, is_excluded = _matcher(settings.include or ["*"]), _matcher(settings.exclude)
    return {whole for name, whole in inside.items() if is_included(name) and not is_excluded(name)}


def _named(
    settings: Settings,
    requested: Iterable[Path],
    found: set[str],
    nested: Iterable[Path],
    enters: Enters,
) -> set[str]:
    """The files of requested paths that the patterns leave out. Raises ConfigError where a path has none at all."""
    sources = {name for name in found if name.endswith(_SOURCES)}
    known = [*sources, *map(str, nested)]
    added: set[str] = set()
    for path in requested:
        is_folder_of_some = path.is_dir() and any(is_below(name, str(path)) for name in known)
        if str(path) not in sources and not is_folder_of_some:
            added |= _read_by_name(settings, path, enters)
    return added


def _read_by_name(settings: Settings, path: Path, enters: Enters) -> set[str]:
    names = walk(str(path), (), enters) if path.is_dir() else iter([str(path)] * path.is_file())
    root, is_excluded = str(settings.root), _matcher(settings.exclude)
    below = {name for name in names if is_source(os.path.basename(name)) and not is_excluded(relative(name, root))}
    if not any(name.endswith(_SOURCES) for name in below):
        help = "`exclude` of the configuration leaves it out" if settings.exclude else None
        what = "no Python or C++ file is below" if path.is_dir() else "this is no Python or C++ file to read:"
        raise ConfigError(f"{what} `{path}`", help=help)
    return below


def _of_kind(names: Iterable[str], suffixes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name.endswith(suffixes))


def _matcher(patterns: Collection[str]) -> Callable[[str], bool]:
    return gitignore.compiled(patterns).match_file if patterns else lambda _: False

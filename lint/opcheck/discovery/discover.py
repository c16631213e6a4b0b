"""From settings and the paths that were asked for to the files of a project."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from opcheck.config import CONFIGURATIONS, ConfigError, Settings, configuration_in

from . import gitignore
from .auxiliary import is_auxiliary, is_auxiliary_file
from .files import COMPILED, NATIVE, PYTHON, Files, is_source
from .walk import Enters, walk

_SOURCES: Final = PYTHON | NATIVE


def discover(settings: Settings, requested: Sequence[Path]) -> Files:
    """The files of the project, of which those at or below the `requested` paths (absolute, resolved) are reported.

    Without a configuration the requested paths are all that is read. A path that was asked for by name is read also
    where git or the `include` patterns leave it out, unless `exclude` does. Raises ConfigError when an `include`
    pattern matches nothing, a requested path holds no source, or a folder cannot be listed.
    """
    nested: list[Path] = []
    enters = _entering(settings, nested)
    starts = [settings.root] if settings.source else _folders(requested)
    found = _included(settings, {path for start in starts for path in walk(start, gitignore.above(start), enters)})
    found |= _named(settings, requested, found, nested, enters)
    kinds: dict[str, list[Path]] = defaultdict(list)
    for path in found:
        kinds[path.suffix].append(path)
    paths, native = _of_kind(kinds, PYTHON), _of_kind(kinds, NATIVE)
    return Files(
        settings.root,
        paths,
        reported=_reported(settings.root, (*paths, *native), requested),
        compiled=_of_kind(kinds, COMPILED),
        native_sources=native,
        nested=tuple(sorted(set(nested))),
    )


def _entering(settings: Settings, nested: list[Path]) -> Enters:
    """The test for folders that belong to the project; the configurations that claim others are added to `nested`."""
    is_excluded = _matcher(settings.exclude)

    def enters(folder: Path, names: Collection[str]) -> bool:
        if settings.exclude and is_excluded(folder.relative_to(settings.root).as_posix() + "/"):
            return False
        configuration = configuration_in(folder) if CONFIGURATIONS.intersection(names) else None
        if configuration:
            nested.append(configuration)
        return configuration is None

    return enters


def _included(settings: Settings, found: set[Path]) -> set[Path]:
    """The files that `include` (everything, where it is not given) and `exclude` leave."""
    if not settings.include and not settings.exclude:
        return found
    relative = {path.relative_to(settings.root).as_posix(): path for path in found}
    for pattern in settings.include:
        if not pattern.startswith("!") and not any(map(_matcher([pattern]), relative)):
            span = settings.origin[f"include.{pattern}"]
            raise ConfigError(f"`include` pattern `{pattern}` matches no file", span, label="nothing here")
    is_included, is_excluded = _matcher(settings.include or ["*"]), _matcher(settings.exclude)
    return {p for name, p in relative.items() if is_included(name) and not is_excluded(name)}


def _named(
    settings: Settings,
    requested: Iterable[Path],
    found: set[Path],
    nested: list[Path],
    enters: Enters,
) -> set[Path]:
    """The files of requested paths that the patterns leave out. Raises ConfigError where a path has none at all."""
    sources = [path for path in found if path.suffix in _SOURCES]
    added: set[Path] = set()
    for path in requested:
        is_covered = path in found or (path.is_dir() and any(p.is_relative_to(path) for p in (*sources, *nested)))
        if not is_covered or (path in found and path.suffix not in _SOURCES):
            added |= _read_by_name(settings, path, enters)
    return added


def _read_by_name(settings: Settings, path: Path, enters: Enters) -> set[Path]:
    files = walk(path, (), enters) if path.is_dir() else iter([path] * path.is_file())
    is_excluded = _matcher(settings.exclude)
    below = {p for p in files if is_source(p.name) and not is_excluded(p.relative_to(settings.root).as_posix())}
    if not any(p.suffix in _SOURCES for p in below):
        help = "`exclude` of the configuration leaves it out" if settings.exclude else None
        what = "no Python or C++ file is below" if path.is_dir() else "this is no Python or C++ file to read:"
        raise ConfigError(f"{what} `{path}`", help=help)
    return below


def _reported(root: Path, paths: Iterable[Path], requested: Iterable[Path]) -> frozenset[Path]:
    """The paths that were asked for; of auxiliary files, those that were asked for as such."""
    asked, found = set(requested), set[Path]()
    for _, group in groupby(paths, key=lambda path: path.parts[:-1]):
        inside = list(group)
        folder = inside[0].parent
        around = asked.intersection((folder, *folder.parents))
        if any(is_auxiliary(outer.relative_to(root.parent)) for outer in around):
            found.update(inside)
            continue
        is_code = bool(around) and not (folder.is_relative_to(root) and is_auxiliary(folder.relative_to(root)))
        found.update(path for path in inside if path in asked or (is_code and not is_auxiliary_file(path.name)))
    return frozenset(found)


def _folders(requested: Iterable[Path]) -> list[Path]:
    return [path for path in requested if path.is_dir()]


def _of_kind(kinds: Mapping[str, list[Path]], suffixes: frozenset[str]) -> tuple[Path, ...]:
    found = (path for suffix in suffixes for path in kinds.get(suffix, ()))
    return tuple(sorted(found, key=lambda path: path.parts))


def _matcher(patterns: Collection[str]) -> Callable[[str], bool]:
    return gitignore.compiled(patterns).match_file if patterns else lambda _: False

"""Finding the configuration of a path, and reading it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from opcheck.adapters.described.frameworks import known_backends
from opcheck.reading import Environment
from opcheck_rules import ALL_RULES

from .document import load_document
from .error import ConfigError
from .section import Section
from .selectors import is_known, selector_help
from .settings import Listed, Settings
from .shapes import as_table
from .shipped import shipped
from .targets import check_backends, read_target

if TYPE_CHECKING:
    from opcheck.adapters.described.description import Description

OWN_FILE: Final = "opcheck.toml"
SHARED_FILE: Final = "pyproject.toml"
CONFIGURATIONS: Final = frozenset({OWN_FILE, SHARED_FILE})
"""The names of files that can configure opcheck."""
_LISTS: Final = ("include", "exclude", "entries", "select", "ignore")
_TABLES: Final = ("per-file-ignores", "per-op-ignores", "unsupported", "targets")


def nearest_configuration(path: Path) -> Path | None:
    """The file that configures the project around `path` (absolute), None where there is none.

    What is installed is no part of the project whose environment it is installed in.
    """
    for folder in (path, *path.parents):
        found = configuration_in(folder)
        if found or next(folder.glob("*.dist-info"), None):
            return found
    return None


def configuration_in(folder: Path) -> Path | None:
    """The file in `folder` that configures opcheck: `opcheck.toml`, else a `pyproject.toml` with a table for it.

    Raises ConfigError when a file that mentions opcheck cannot be read.
    """
    own, shared = folder / OWN_FILE, folder / SHARED_FILE
    try:
        if own.exists():
            return own
        # What other tools broke is no concern of ours: a file is parsed where it can hold a table for opcheck.
        worth_parsing = shared.exists() and (not shared.is_file() or b"opcheck" in shared.read_bytes())
    except OSError as error:
        help = "make it readable, or leave its folder out with `exclude`"
        raise ConfigError(
            f"cannot look for a configuration at `{error.filename}`: {error.strerror}", help=help
        ) from None
    return shared if worth_parsing and "opcheck" in (as_table(load_document(shared).data.get("tool")) or ()) else None


def load(source: Path) -> Settings:
    """Read the configuration in `source`. Raises ConfigError at its first fault."""
    document = load_document(source)
    whole = Section(document, (), document.data)
    section = whole if source.name == OWN_FILE else whole.section("tool").section("opcheck")
    return _settings(section, source.parent)


def unconfigured(root: Path) -> Settings:
    """The settings of a project that configures nothing: its metadata still says what is installed."""
    return Settings(root, dispatchers=shipped(root), environment=_environment(root))


def _settings(section: Section, root: Path) -> Settings:
    section.allow((*_LISTS, *_TABLES, "baseline", "dispatchers"))
    for key in ("select", "ignore"):
        _check_selectors(section, key)
    installed = _environment(root)
    own = _own_dispatchers(section)
    dispatchers = (*own, *shipped(root, {described.name for described in own}))
    known = known_backends(dispatchers)
    return Settings(
        root,
        section.document.path,
        include=section.strings("include"),
        exclude=section.strings("exclude"),
        entries=section.strings("entries"),
        dispatchers=dispatchers,
        targets=tuple(read_target(*table, installed, known) for table in section.section("targets").sections()),
        unsupported=_listed(section.section("unsupported"), partial(check_backends, known=known)),
        select=section.strings("select"),
        ignore=section.strings("ignore"),
        per_file_ignores=_listed(section.section("per-file-ignores"), _check_selectors),
        per_op_ignores=_listed(section.section("per-op-ignores"), _check_selectors),
        baseline=section.text("baseline"),
        environment=installed,
        origin=section.origin(),
    )


def _own_dispatchers(section: Section) -> tuple[Description, ...]:
    if "dispatchers" not in section.table:
        return ()
    # Imported only where there are some: most projects have none.
    from .dispatchers import read_dispatchers  # noqa: PLC0415

    return read_dispatchers(section)


def _listed(section: Section, check: Callable[[Section, str], None]) -> Listed:
    """What a table lists for each pattern, each list checked."""
    for pattern in section.table:
        check(section, pattern)
    return section.placed()


def _check_selectors(section: Section, key: str) -> None:
    for index, selector in enumerate(section.strings(key)):
        if not is_known(selector, ALL_RULES):
            span = section.document.value((*section.keys, key, index))
            raise ConfigError(f"unknown rule `{selector}`", span, help=selector_help(selector, ALL_RULES))


def _environment(root: Path) -> Environment:
    """What the nearest `pyproject.toml` says is installed."""
    shared = next(_shared_files(root), None)
    project = as_table(load_document(shared).data.get("project")) if shared else None
    if not project:
        return Environment()
    # Imported only where there is metadata: reading requirements takes a while to learn.
    from .metadata import environment  # noqa: PLC0415

    return environment(project)


def _shared_files(root: Path) -> Iterator[Path]:
    return (path for folder in (root, *root.parents) if (path := folder / SHARED_FILE).exists())

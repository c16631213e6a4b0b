"""The modules of a project: which file an import name means, and what is known of each module's evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from opcheck_rules.model.condition import Condition

from ..summary.imports import Import
from ..summary.source import Source
from .scope import Scope

if TYPE_CHECKING:
    from .waiting import Waiting


Turn: TypeAlias = tuple[int, ...]
"""When the import of a project comes to something: by number, and inside what was put off by that's and its own."""


class ImportEdge(Struct, frozen=True):
    """One import that was evaluated: `importer` runs `imported` where `condition` holds.

    `is_plain` says that the statement stands at the margin of its module, and so runs whenever that does.
    """

    importer: str
    imported: str
    condition: Condition
    is_plain: bool = False


@dataclass(eq=False)
class Module:
    """A module of the project, evaluated when its names are asked for.

    One that is `outlined` has imported what it always imports, and nothing else of it was looked at. `failure` is the
    condition under which a statement of its own raises; what it `requires` may fail as well, each import on its path.
    So many of its import statements were `followed`, and `waiting` are statements that nothing has asked for. `turn` is
    the one that it had while it was outlined.
    """

    name: str
    is_package: bool
    namespace: Scope
    failure: Condition
    parse: Callable[[], Source]
    evaluate: Callable[[Module], None]
    state: Literal["new", "outlined", "running", "done"] = "new"
    starred: list[str] = field(default_factory=list[str])
    origins: dict[str, str] = field(default_factory=dict[str, str])
    followed: int = 0
    turn: Turn | None = None
    waiting: Waiting | None = None
    requires: list[tuple[Condition, Module]] = field(default_factory=list["tuple[Condition, Module]"])

    @cached_property
    def source(self) -> Source:
        """The file, parsed."""
        return self.parse()

    @property
    def is_untouched(self) -> bool:
        """Whether nothing of it was evaluated yet."""
        return self.state in ("new", "outlined")

    @property
    def scope(self) -> Scope:
        """The module's names."""
        if self.is_untouched:
            self.evaluate(self)
        return self.namespace


@dataclass(frozen=True)
class Layout:
    """Which import names the files of a project have, and which names compiled modules have."""

    files: Mapping[str, Path]
    names: Mapping[Path, str]
    aliases: Mapping[str, str]
    compiled: frozenset[str]
    folders: frozenset[str]

    def canonical(self, name: str) -> str:
        """The one name of a module that can be imported under several (`src.pkg`, `pkg`)."""
        return self.aliases.get(name, name)

    def is_foreign(self, statement: Import) -> bool:
        """Whether an import statement names nothing of the project."""
        return not statement.level and statement.module.partition(".")[0] not in self.tops

    def is_package(self, name: str) -> bool:
        """Whether the module is a package's `__init__`."""
        return name in self.packages

    @cached_property
    def packages(self) -> frozenset[str]:
        """The modules that are a package's `__init__`."""
        return frozenset(name for name, path in self.files.items() if path.stem == "__init__")

    @cached_property
    def tops(self) -> frozenset[str]:
        """The first parts of all names under which something of the project can be imported."""
        names = (*self.aliases, *self.names.values(), *self.compiled, *self.folders)
        return frozenset(name.partition(".")[0] for name in names)

    @cached_property
    def roots(self) -> frozenset[str]:
        """The first parts of the names the project itself defines."""
        return frozenset(name.split(".", 1)[0] for name in (*self.files, *self.compiled, *self.folders))


def lay_out(root: Path, paths: Iterable[Path], compiled: Iterable[Path], imported: Mapping[str, int]) -> Layout:
    """Name every file. `imported` counts how import statements begin, which decides namespace packages."""
    packages: dict[Path, bool] = {}
    names = _named(root, list(paths), packages, imported)
    files, aliases = dict[str, Path](), dict[str, str]()
    folders: set[str] = set()
    for path, name in names.items():
        parts = name.split(".")
        files.setdefault(name, path)
        folders.update(".".join(parts[:i]) for i in range(1, len(parts)))
        for alias in _aliases(root, path, packages):
            aliases.setdefault(alias, name)
    for name in files:
        aliases[name] = name
    extension = frozenset(".".join(_parts(path, packages, imported)) for path in compiled)
    return Layout(files, names, aliases, extension - set(files), frozenset(folders) - set(files))


def _named(
    root: Path, paths: Sequence[Path], packages: dict[Path, bool], imported: Mapping[str, int]
) -> dict[Path, str]:
    """The name of each file. Of two alike the one nearest the root has it, and the other is told by where it lies."""
    names, taken = dict[Path, str](), set[str]()
    for path in sorted(paths, key=lambda path: len(path.parts)):
        name = ".".join(_parts(path, packages, imported))
        if name in taken and root in path.parents:
            name = ".".join(_below(root, path))
        taken.add(name)
        names[path] = name
    return {path: names[path] for path in paths}


def _parts(path: Path, packages: dict[Path, bool], imported: Mapping[str, int]) -> list[str]:
    """The import name of a file: up through its packages, and on through folders that imports name above them.

    Where it lies below an installed distribution's metadata (a `site-packages`, an unpacked wheel), it is named from
    there.
    """
    parts = [] if path.stem == "__init__" else [path.name.split(".", 1)[0]]
    folder = path.parent
    installed = _installed_root(folder)
    if installed is not None:
        return [*folder.relative_to(installed).parts, *parts] or [folder.name]
    while _is_package(folder, packages):
        parts.insert(0, folder.name)
        folder = folder.parent
    while _is_namespace(folder, parts, imported):
        parts.insert(0, folder.name)
        folder = folder.parent
    return parts or [path.parent.name]


@lru_cache(maxsize=4096)
def _installed_root(folder: Path) -> Path | None:
    """The nearest folder above that holds the metadata of installed distributions."""
    if next(folder.glob("*.dist-info"), None) is not None:
        return folder
    return _installed_root(folder.parent) if folder.parent != folder else None


def _below(root: Path, path: Path) -> list[str]:
    """The name that a file has from the root."""
    parts = path.relative_to(root).with_suffix("").parts
    return list(parts[:-1] if path.stem == "__init__" and len(parts) > 1 else parts)


def _is_package(folder: Path, known: dict[Path, bool]) -> bool:
    if folder not in known:
        known[folder] = (folder / "__init__.py").is_file()
    return known[folder]


def _is_namespace(folder: Path, parts: list[str], imported: Mapping[str, int]) -> bool:
    """A folder without `__init__` is part of the name where import statements of the project write it so."""
    return bool(parts) and imported.get(f"{folder.name}.{parts[0]}", 0) > 0


def _aliases(root: Path, path: Path, packages: dict[Path, bool]) -> Iterator[str]:
    """Every name that reaches the file from the root or a folder under it, longest first.

    What lies inside a package is not reached from there: `triton` is no `pkg.backends.triton`.
    """
    if not path.is_relative_to(root):
        return
    parts = path.relative_to(root).parts
    parts = parts[:-1] if path.stem == "__init__" else (*parts[:-1], path.stem)
    folder, inside = path.parent, int(path.stem != "__init__")
    while _is_package(folder, packages):
        folder, inside = folder.parent, inside + 1
    for i in range(len(parts) - max(inside, 1) + 1):
        yield ".".join(parts[i:])


def imported_names(imports: Iterable[Import]) -> Counter[str]:
    """How often import statements name each pair of leading names (`optimum.quanto`)."""
    counts: Counter[str] = Counter()
    for module, level, names, _ in imports:
        if "." in module or names is None:
            counts[_leading(module)] += not level
        elif not level:
            counts.update(f"{module}.{name}" for name, _ in names)
    return counts


def _leading(name: str) -> str:
    return ".".join(name.split(".", 2)[:2])


def absolute(module: str, is_package: bool, level: int, name: str) -> str | None:
    """The full name of what `module` imports from; None where that climbs out of its root."""
    if not level:
        return name or None
    parts = module.split(".")
    climb = level - is_package
    if climb > len(parts):
        return None
    return ".".join([*parts[: len(parts) - climb], *filter(None, [name])]) or None

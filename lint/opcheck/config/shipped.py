"""The descriptions that come with opcheck: a file a package, named after what is imported."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import opcheck.adapters.described as home

from .document import load_document
from .section import Section

if TYPE_CHECKING:
    from opcheck.adapters.described.description import Description

FOLDER: Final = Path(str(home.__file__)).parent / "shipped"


def shipped(root: Path, overridden: Collection[str] = ()) -> tuple[Description, ...]:
    """The descriptions of the packages that lie in a project, but for those that its configuration describes."""
    packages = (file for file in sorted(FOLDER.glob("*.toml")) if _holds(root, file.stem))
    return tuple(d for file in packages for d in _descriptions(file) if d.name not in overridden)


def _descriptions(file: Path) -> tuple[Description, ...]:
    # Imported only where there are some: most projects have none.
    from .dispatchers import read_dispatchers  # noqa: PLC0415

    document = load_document(file)
    return read_dispatchers(Section(document, (), document.data))


def _holds(root: Path, package: str) -> bool:
    """Whether a package lies in a folder, or one folder down, or the folder in it."""
    return package in root.parts or any((folder / package / "__init__.py").is_file() for folder in _folders(root))


def _folders(root: Path) -> Iterator[Path]:
    yield root
    yield from (root / name for name in ("src", "python", "lib"))

"""A copy of a project to try fixes in: it is read as the project is, and edited in its place."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from opcheck.cache.reading import reading_of
from opcheck.config import Settings, load
from opcheck.discovery import Files, files_at
from opcheck.summary.source import UnreadableError, parse_source
from opcheck.suppress.apply import check
from opcheck.suppress.ignores import ignores
from opcheck_rules import ALL_RULES
from opcheck_rules.model.finding import Edit, Finding
from opcheck_rules.model.target import Target

from .document import Document, documents
from .propose import with_fixes

# What is read of the folders above a file: whether they are packages, installed, and what is installed with them.
_MARKS: Final = ("__init__.py", "pyproject.toml", "*.dist-info")


class Trial(Struct, frozen=True):
    """A copy of a project, with the targets it is held against; `copies` are those of the files that may be edited."""

    settings: Settings
    files: Files
    targets: Sequence[Target]
    copies: Mapping[Path, Path]

    def findings(self) -> list[Finding]:
        """All there is to report of the copy as it stands, whatever was asked for, with the fixes there are."""
        reading = reading_of(self.settings, self.files, cached=False)
        ignored = list(ignores(self.settings, self.files, reading, whole=True))
        return with_fixes(check(reading, self.targets, ALL_RULES, ignored).separate, [reading])

    def edit(self, edits: Iterable[Edit]) -> dict[Path, bytes] | None:
        """Make edits, and give what the files held before; None where one can't be made or breaks a file: none is."""
        opened, of_file = documents(), dict[str, list[Edit]]()
        for edit in edits:
            of_file.setdefault(edit.span.path, []).append(edit)
        owned = set(map(str, self.copies.values()))
        edited = {path: _edited(opened(path) if path in owned else None, those) for path, those in of_file.items()}
        made = {Path(path): data for path, data in edited.items() if data is not None}
        if len(made) < len(edited):
            return None
        before = {path: path.read_bytes() for path in made}
        restore(made)
        return before


def restore(contents: Mapping[Path, bytes]) -> None:
    """Write what files are to hold."""
    for path, data in contents.items():
        path.write_bytes(data)


def _edited(document: Document | None, edits: Iterable[Edit]) -> bytes | None:
    if document is None:
        return None
    with suppress(UnicodeEncodeError, UnreadableError):
        data = document.edited(edits)
        if document.path.suffix == ".py":
            parse_source(document.path, data.decode(document.encoding))
        return data
    return None


def trial_of(settings: Settings, files: Files, targets: Iterable[Target], folder: Path) -> Trial:
    """Copy a project below `folder`, which stands for the root of the file system."""

    def place(path: Path) -> Path:
        return folder / path.relative_to(path.anchor)

    kept = [*files.paths, *files.native_sources, *([settings.source] if settings.source else [])]
    for path in (*kept, *_marks(kept)):
        _copy(path, place(path))
    moved = load(place(settings.source)) if settings.source else replace(settings, root=place(settings.root))
    configured = {target.name: target for target in moved.targets}
    named = {target.name: target for target in (*moved.targets, *targets)}
    return Trial(
        moved,
        files_at(
            place(files.root),
            map(place, files.paths),
            map(place, files.reported),
            compiled=map(place, files.compiled),
            native_sources=map(place, files.native_sources),
        ),
        tuple((named | configured).values()),
        {path: place(path) for path in kept if not path.is_symlink()},
    )


def _marks(paths: Iterable[Path]) -> Iterator[Path]:
    folders = {folder for path in paths for folder in path.parents}
    return (mark for folder in folders for name in _MARKS for mark in folder.glob(name))


def _copy(path: Path, copy: Path) -> None:
    """Copy a file, or of a folder that it is there. What can't be read is missing in the copy, and not read there."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):
        copy.mkdir() if path.is_dir() else shutil.copyfile(path, copy)

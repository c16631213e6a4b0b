"""Where a project's reading is kept, and whether it still stands."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from opcheck.config import Settings
from opcheck.discovery import Files
from opcheck.reading import Reading

from .codec import decode, encode, plain

_BROKEN: Final = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What reading a file that is no cache, or was cut off, or was written by something else may raise."""

Stamp = tuple[int, int]


def kept(settings: Settings, files: Files) -> Reading | None:
    """What an earlier run read, where every file is what it was then."""
    place = _place(settings)
    try:
        document = json.loads(place.read_bytes())
        if document["key"] != _key(settings, files):
            return None
        renewed = _renewed(document["stamps"], _stamped(settings, files))
        if renewed is None:
            return None
        reading = decode(document["reading"])
    except _BROKEN:
        return None
    if renewed != document["stamps"]:
        with suppress(OSError):
            _write(place, {**document, "stamps": renewed})
    return replace(reading, read=files.paths)


def keep(settings: Settings, files: Files, reading: Reading, before: Mapping[Path, Stamp]) -> None:
    """Keep a reading for later runs, where that can be written. `before` are the stamps from before it was made."""
    with suppress(OSError):
        stamps = {str(path): [*stamp, reading.digests.get(path) or _digest(path)] for path, stamp in before.items()}
        kept = encode(replace(reading, read=(), digests={}))
        _write(_place(settings), {"key": _key(settings, files), "stamps": stamps, "reading": kept})


def stamps(settings: Settings, files: Files) -> dict[Path, Stamp]:
    """When each file that a reading comes from was changed, and how long it is; without those that are not there."""
    found: dict[Path, Stamp] = {}
    for path in _stamped(settings, files):
        with suppress(OSError):
            found[path] = _stamp(path)
    return found


def _write(place: Path, document: Mapping[str, Any]) -> None:
    """Put a whole file in the place of another: whoever reads it meanwhile has the one or the other."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=place.parent, encoding="ascii", delete=False) as file:
        file.write(json.dumps(document, separators=(",", ":")))
    Path(file.name).replace(place)


def _renewed(known: Mapping[str, list[Any]], paths: Iterable[Path]) -> Mapping[str, list[Any]] | None:
    """The stamps as they are now; None where a file has come, gone or changed."""
    stamps: dict[str, list[Any]] = {}
    for path in paths:
        mtime, size, digest = known[str(path)]
        stamp = _stamp(path)
        if stamp != (mtime, size) and _digest(path) != digest:
            return None
        stamps[str(path)] = [*stamp, digest]
    return stamps if len(stamps) == len(known) else None


def _stamped(settings: Settings, files: Files) -> list[Path]:
    """The files whose content a reading comes from."""
    return [*files.paths, *files.native_sources, *filter(None, [settings.source])]


def _stamp(path: Path) -> Stamp:
    found = os.stat(path)  # noqa: PTH116 - asked of every file there is
    return found.st_mtime_ns, found.st_size


def _digest(path: Path) -> str:
    return digest(path.read_bytes())


def digest(data: bytes) -> str:
    """What tells content from any other."""
    return hashlib.sha256(data).hexdigest()


def _key(settings: Settings, files: Files) -> str:
    """All that a reading comes from beside the content of its files: opcheck, Python, settings, and which there are."""
    asked, compiled = sorted(map(str, files.reported)), list(map(str, files.compiled))
    parts = (_program(), sys.version, plain(settings), asked, compiled)
    return digest(json.dumps(parts).encode())


def _program() -> list[tuple[str, int, int]]:
    """opcheck's own files: what is installed for development changes without its version."""
    packages = [Path(__file__).parents[1], *map(_folder, ("opcheck_rules", "opcheck_runtime"))]
    return [(str(p), *_stamp(p)) for package in packages for p in sorted(package.rglob("*.py"))]


def _folder(package: str) -> Path:
    return Path(str(sys.modules[package].__file__)).parent


def _place(settings: Settings) -> Path:
    """The file that a project's reading is kept in: in the user's cache, where no repository can put one."""
    return folder_of_user() / "opcheck" / f"{digest(str(settings.root).encode())[:32]}.json"


def folder_of_user() -> Path:
    """Where programs keep what they can make again, on this platform."""
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home()))
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")

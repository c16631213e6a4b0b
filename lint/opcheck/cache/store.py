"""Where a project's reading is kept, and whether it still stands."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from opcheck.config import ConfigError, Settings
from opcheck.discovery import Files
from opcheck.reading import Reading
from opcheck.writing import write_whole

from .decode import decode
from .written import Written

_BROKEN: Final = (OSError, ValueError, msgspec.DecodeError, LookupError, TypeError, AttributeError, RecursionError)
"""What reading a file that is no cache, or was cut off, or was written by something else may raise."""

Stamp = tuple[int, int]


class _Kept(msgspec.Struct, frozen=True):
    """What is kept of a run: its key, the files with their stamps, what tells the content of each, and the reading.

    Key and stamps are compared as they are written: most runs find them as they were.
    """

    key: msgspec.Raw
    stamps: msgspec.Raw
    digests: msgspec.Raw
    reading: Written


def kept(settings: Settings, files: Files) -> Reading | None:
    """What an earlier run read, where every file is what it was then."""
    place = _place(settings)
    try:
        found = msgspec.json.decode(place.read_bytes(), type=_Kept)
        if found.key != _key(settings, files):
            return None
        stamps = _written((name, *_stamp(name)) for name in _stamped(settings, files))
        if stamps != found.stamps and not _is_same(found, stamps):
            return None
        reading = decode(found.reading)
    except _BROKEN:
        return None
    if stamps != found.stamps:
        _write(place, replace(found, stamps=stamps))
    return reading


def keep(settings: Settings, files: Files, reading: Reading, before: Mapping[str, Stamp]) -> None:
    """Keep a reading for later runs, where that can be written. `before` are the stamps from before it was made."""
    from .encode import encode  # noqa: PLC0415 - most runs have nothing to write

    with suppress(OSError, UnicodeEncodeError):
        known = {str(path): digest for path, digest in reading.digests.items()}
        digests = _written(known.get(name) or _digest(name) for name in before)
        stamps = _written((name, *stamp) for name, stamp in before.items())
        written = encode(replace(reading, read=(), digests={}))
        _write(_place(settings), _Kept(_key(settings, files), stamps, digests, written))


def stamps(settings: Settings, files: Files) -> dict[str, Stamp]:
    """When each file that a reading comes from was changed, and how long it is; without those that are not there."""
    found: dict[str, Stamp] = {}
    for name in _stamped(settings, files):
        with suppress(OSError):
            found[name] = _stamp(name)
    return found


def _write(place: Path, kept: _Kept) -> None:
    """Put a whole file in the place of another: whoever reads it meanwhile has the one or the other."""
    with suppress(OSError, ConfigError):
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, msgspec.json.encode(kept))


def _written(parts: Iterable[object]) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(list(parts)))


def _is_same(found: _Kept, stamps: msgspec.Raw) -> bool:
    """Whether the files are those that were read, and hold what they held then."""
    before, now = (msgspec.json.decode(each, type=list[tuple[str, int, int]]) for each in (found.stamps, stamps))
    digests = msgspec.json.decode(found.digests, type=list[str])
    if [name for name, *_ in before] != [name for name, *_ in now]:
        return False
    changed = (i for i, (one, other) in enumerate(zip(before, now, strict=True)) if one != other)
    return all(_digest(now[i][0]) == digests[i] for i in changed)


def _stamped(settings: Settings, files: Files) -> list[str]:
    """The files whose content a reading comes from."""
    return [*files.python, *files.native, *([str(settings.source)] if settings.source else [])]


def _stamp(name: str) -> Stamp:
    found = os.stat(name)  # noqa: PTH116 - asked of every file there is
    return found.st_mtime_ns, found.st_size


def _digest(name: str) -> str:
    """What tells the content of a file from any other."""
    from hashlib import sha256  # noqa: PLC0415 - most runs find every stamp as it was

    return sha256(Path(name).read_bytes()).hexdigest()


def _key(settings: Settings, files: Files) -> msgspec.Raw:
    """All that a reading comes from beside the content of its files: opcheck, Python, settings, and which there are."""
    parts = (_program(), sys.version, settings, files.requested, files.extensions)
    return msgspec.Raw(msgspec.json.encode(parts, enc_hook=str, order="deterministic"))


def _program() -> list[tuple[str, int, int]]:
    """opcheck's own files: what is installed for development changes without its version."""
    found = map(find_spec, ("opcheck", "opcheck_rules", "opcheck_runtime"))
    folders = [folder for spec in found if spec for folder in spec.submodule_search_locations or ()]
    return sorted(stamp for folder in folders for stamp in stamps_below(folder))


def stamps_below(folder: str) -> Iterator[tuple[str, int, int]]:
    """The stamps of the files of a package, without those that Python makes of them itself."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file():
                found = entry.stat()
                yield entry.path, found.st_mtime_ns, found.st_size
            elif entry.name != "__pycache__":
                yield from stamps_below(entry.path)


def _place(settings: Settings) -> Path:
    """The file that a project's reading is kept in: in the user's cache, where no repository can put one.

    Folders there are named after those around the project, as those of `PYTHONPYCACHEPREFIX` are.
    """
    drive, folders = os.path.splitdrive(settings.root)
    return folder_of_user().joinpath("opcheck", drive.strip("\\/:"), folders.strip("\\/"), "reading.json")


def folder_of_user() -> Path:
    """Where programs keep what they can make again, on this platform."""
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home()))
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")

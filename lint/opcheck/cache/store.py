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
Known = tuple[int, int, str]
"""The stamp of a file, and what tells its content from any other."""


class _Kept(msgspec.Struct, frozen=True):
    """What is kept of a run. The key is compared as it is written."""

    key: msgspec.Raw
    stamps: dict[str, Known]
    reading: Written


def kept(settings: Settings, files: Files) -> Reading | None:
    """What an earlier run read, where every file is what it was then."""
    place = _place(settings)
    try:
        found = msgspec.json.decode(place.read_bytes(), type=_Kept)
        if found.key != _key(settings, files):
            return None
        renewed = _renewed(found.stamps, _stamped(settings, files))
        if renewed is None:
            return None
        reading = decode(found.reading)
    except _BROKEN:
        return None
    if renewed != found.stamps:
        _write(place, replace(found, stamps=renewed))
    return reading


def keep(settings: Settings, files: Files, reading: Reading, before: Mapping[str, Stamp]) -> None:
    """Keep a reading for later runs, where that can be written. `before` are the stamps from before it was made."""
    from .encode import encode  # noqa: PLC0415 - nor do they write anything

    with suppress(OSError, UnicodeEncodeError):
        digests = {str(path): digest for path, digest in reading.digests.items()}
        stamps = {name: (*stamp, digests.get(name) or _digest(name)) for name, stamp in before.items()}
        written = encode(replace(reading, read=(), digests={}))
        _write(_place(settings), _Kept(_key(settings, files), stamps, written))


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


def _renewed(known: Mapping[str, Known], names: Iterable[str]) -> dict[str, Known] | None:
    """The stamps as they are now; None where a file has come, gone or changed."""
    stamps: dict[str, Known] = {}
    for name in names:
        mtime, size, digest = known[name]
        stamp = _stamp(name)
        if stamp != (mtime, size) and _digest(name) != digest:
            return None
        stamps[name] = (*stamp, digest)
    return stamps if len(stamps) == len(known) else None


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

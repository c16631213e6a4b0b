"""Writing files: what can be in one, and putting a whole file in the place of another."""

from __future__ import annotations

import os
import re
from pathlib import Path
from threading import get_ident

from opcheck.config.error import ConfigError


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that whoever reads it meanwhile has all of the old or all of the new; its mode stays.

    A device or a pipe is written to as it is. Raises ConfigError where it cannot be written.
    """
    place = Path(os.path.realpath(path))
    try:
        if place.exists() and not place.is_file():
            place.write_bytes(data)
        else:
            _replace(place, data)
    except OSError as error:
        raise ConfigError(f"cannot write `{path.name}`: {error.strerror}") from None


def _replace(place: Path, data: bytes) -> None:
    draft = place.with_name(f".{place.name}.{os.getpid()}.{get_ident()}")
    try:
        draft.write_bytes(data)
        if place.exists():
            draft.chmod(place.stat().st_mode)
        draft.replace(place)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def is_text(text: str) -> bool:
    """Whether a file can hold a text: what a source has in quotes may be half of a character."""
    return text.encode(errors="ignore").decode() == text


def toml_key(name: str) -> str:
    """A key of TOML: in quotes where it needs some."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_string(name)


def toml_string(text: str) -> str:
    """A text in quotes, as TOML has it: with the escapes of JSON, and one for the character that JSON leaves bare."""
    from json import dumps  # noqa: PLC0415 - most runs write none

    return dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")

"""What a file says without being parsed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from .imports import Import, find_imports, imports_of
from .source import decode, parse_source, read_bytes

_CODING: Final = re.compile(rb"(?:[^\n]*\n)?[ \t\f]*#[^\n]*coding[:=]")
_BOM: Final = b"\xef\xbb\xbf"


class Scan(Struct, frozen=True):
    """The imports of a file, whether it may declare something, and whether a comment of it speaks to opcheck.

    `digest` tells its content from any other; `size` is in bytes.
    """

    imports: tuple[Import, ...]
    declares: bool
    is_addressed: bool
    digest: str
    size: int


def scan(path: Path, declares: Callable[[bytes], bool]) -> Scan:
    """Look through a file. Raises `UnreadableError` where it cannot be read or decoded, or parsed where that is needed.

    Its bytes are looked at and let go: what a project is made of is not held in memory.
    """
    data = read_bytes(path)
    content, size = hashlib.sha256(data).hexdigest(), len(data)
    if _CODING.match(data) or not data.isascii():
        data = decode(path, data).encode("utf-8", "surrogatepass")
    imports = find_imports(data.removeprefix(_BOM))
    if imports is None:
        imports = imports_of(parse_source(path, data.decode("utf-8", "surrogatepass")))
    return Scan(imports, declares(data), b"opcheck:" in data, content, size)


def text_of(path: Path) -> str:
    """The text of a file that was scanned before."""
    return decode(path, read_bytes(path))

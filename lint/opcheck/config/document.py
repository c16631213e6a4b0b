"""A TOML file as read: its data, and the place of each part of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from opcheck_rules.model.finding import Span

from .error import ConfigError, start_of

if TYPE_CHECKING:
    from .positions import Extent, Keys, Positions

_PLACE: Final = re.compile(r" \(at line (\d+), column (\d+)\)$")


class Document(Struct, frozen=True):
    """The parsed data of one file, with the text and the positions it came from."""

    path: Path
    text: str
    data: dict[str, object]
    positions: Positions

    def key(self, keys: Keys) -> Span:
        """Where a key is written."""
        return self.span(self.positions.keys[keys])

    def value(self, keys: Keys) -> Span:
        """Where a value is written; of a table under a header of its own, its key."""
        return self.span(self.positions.values.get(keys) or self.positions.keys[keys])

    def pair(self, keys: Keys) -> Span:
        """A key together with its value."""
        return self.span(self.positions.pairs.get(keys) or self.positions.keys[keys])

    def span(self, extent: Extent) -> Span:
        """The lines and columns of a stretch of the text."""
        return Span(str(self.path), *_place(self.text, extent.start), *_place(self.text, extent.end))


def load_document(path: Path) -> Document:
    """Read and parse `path`.

    Raises ConfigError when it cannot be read, is no UTF-8, or is no TOML.
    """
    # Imported only where there is such a file: what is installed has none.
    import tomllib  # noqa: PLC0415

    from .positions import positions  # noqa: PLC0415

    text = _text(path)
    try:
        return Document(path, text, tomllib.loads(text), positions(text))
    except tomllib.TOMLDecodeError as error:
        raise _malformed(path, text, str(error)) from None
    except RecursionError:
        raise ConfigError("malformed TOML: values are nested too deeply", start_of(path)) from None


def _text(path: Path) -> str:
    try:
        if not path.is_file():
            raise ConfigError(f"`{path.name}` is not a file", start_of(path), help="rename it")
        return path.read_bytes().decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ConfigError(f"`{path.name}` is not UTF-8, as TOML has to be: {error.reason}", start_of(path)) from None
    except OSError as error:
        raise ConfigError(f"cannot read `{path.name}`: {error.strerror}", start_of(path)) from None


def _malformed(path: Path, text: str, message: str) -> ConfigError:
    """The parser's complaint, at the place it names: where it names none, it met the end of the file."""
    named = _PLACE.search(message)
    line, column = map(int, named.groups()) if named else _place(text, len(text.rstrip()))
    reason = _PLACE.sub("", message).removesuffix(" (at end of document)")
    return ConfigError(f"malformed TOML: {reason}", Span(str(path), line, column, line, column + 1), label="here")


def _place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)

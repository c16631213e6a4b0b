"""One table of a configuration, read key by key with every fault reported at its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from opcheck_rules.base import nearest
from opcheck_rules.model.finding import Span
from opcheck_rules.model.target import Scalar

from .document import Document
from .error import ConfigError, suggestion
from .shapes import as_list, as_table

if TYPE_CHECKING:
    from .positions import Keys

_KINDS: Final[dict[type, str]] = {
    dict: "a table",
    list: "a list",
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    float: "a float",
}


def _dotted(keys: Iterable[str | int]) -> str:
    return ".".join(map(str, keys))


class Section(Struct, frozen=True):
    """The table at `keys` of a document. Every reader raises ConfigError where the value is of another type."""

    document: Document
    keys: Keys
    table: dict[str, object]

    @property
    def name(self) -> str:
        """The table as its header would have it."""
        if not self.keys:
            return "the top level"
        *above, last = self.keys
        # One table of a list is told by its place in it.
        return f"[[{_dotted(above)}]] {last + 1}" if isinstance(last, int) else f"[{_dotted(self.keys)}]"

    def allow(self, known: Iterable[str]) -> None:
        """Raise ConfigError at the first key that is not one of `known`."""
        known = list(known)
        for key in self.table:
            if key not in known:
                help = suggestion(nearest(key, known)) or f"the keys here are {', '.join(known)}"
                span = self.document.key((*self.keys, key))
                raise ConfigError(f"unknown key `{key}` in {self.name}", span, help=help)

    def section(self, key: str) -> Section:
        """A table inside this one, empty where there is none."""
        table = as_table(self.table.get(key, {}))
        if table is None:
            raise self.mistyped(key, "a table")
        return Section(self.document, (*self.keys, key), table)

    def item(self, key: str, index: int) -> Section:
        """One table of a list of tables inside this one."""
        keys, items = (*self.keys, key, index), as_list(self.table[key]) or []
        table = as_table(items[index])
        if table is None:
            raise self._mistyped(f"item {index + 1} of `{key}`", keys, items[index], "a table")
        return Section(self.document, keys, table)

    def sections(self) -> Iterator[tuple[str, Section]]:
        """Every table inside this one, by name."""
        return ((key, self.section(key)) for key in self.table)

    def strings(self, key: str) -> tuple[str, ...]:
        """A list of strings, empty where there is none."""
        items = as_list(self.table.get(key, []))
        if items is None:
            raise self.mistyped(key, "a list of strings")
        return tuple(self._item(key, index, item) for index, item in enumerate(items))

    def placed(self) -> dict[str, dict[str, Span]]:
        """This whole table, as lists of strings: each string with where it is written."""
        return {key: self._placed(key) for key in self.table}

    def _placed(self, key: str) -> dict[str, Span]:
        strings = enumerate(self.strings(key))
        return {string: self.document.value((*self.keys, key, index)) for index, string in strings}

    def flag(self, key: str) -> bool:
        """A boolean, false where there is none."""
        value = self.table.get(key, False)
        if not isinstance(value, bool):
            raise self.mistyped(key, "a boolean")
        return value

    def names(self, key: str) -> tuple[str, ...]:
        """A string or a list of strings, empty where there is none."""
        is_list = key not in self.table or as_list(self.table[key]) is not None
        return self.strings(key) if is_list else (self.needed(key),)

    def integer(self, key: str, default: int) -> int:
        """An integer, zero or more, or `default` where there is none."""
        value = self.table.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self.mistyped(key, "an integer, zero or more")
        return value

    def text(self, key: str) -> str | None:
        """A string, or None where there is none."""
        value = self.table.get(key)
        if value is not None and not isinstance(value, str):
            raise self.mistyped(key, "a string")
        return value

    def needed(self, key: str) -> str:
        """A string that has to be there."""
        text = self.text(key)
        if text is None:
            raise ConfigError(f"{self.name} lacks `{key}`", self.document.key(self.keys))
        return text

    def scalars(self) -> dict[str, Scalar]:
        """This whole table, as strings, numbers and booleans."""
        return {key: self._scalar(key) for key in self.table}

    def origin(self) -> dict[str, Span]:
        """Where each key is set, and each item of a list and each key of a table in it, as `key.item`."""
        found: dict[str, Span] = {}
        for key, value in self.table.items():
            keys = (*self.keys, key)
            found[key] = self.document.pair(keys)
            for index, item in enumerate(as_list(value) or ()):
                found[f"{key}.{item}"] = self.document.value((*keys, index))
            for name in as_table(value) or ():
                found[f"{key}.{name}"] = self.document.pair((*keys, name))
        return found

    def mistyped(self, key: str, wanted: str) -> ConfigError:
        """The error for a value of the wrong type."""
        return self._mistyped(f"`{key}`", (*self.keys, key), self.table[key], wanted)

    def _mistyped(self, what: str, keys: Keys, value: object, wanted: str) -> ConfigError:
        kind = _KINDS.get(type(value), "a date or time")
        help = "write it in quotes" if wanted == "a string" and isinstance(value, (int, float)) else None
        span = self.document.value(keys)
        return ConfigError(f"{what} in {self.name} must be {wanted}, not {kind}", span, label=kind, help=help)

    def _item(self, key: str, index: int, value: object) -> str:
        if not isinstance(value, str):
            raise self._mistyped(f"item {index + 1} of `{key}`", (*self.keys, key, index), value, "a string")
        return value

    def _scalar(self, key: str) -> Scalar:
        value = self.table[key]
        if isinstance(value, (str, int, float)):
            return value
        error = self.mistyped(key, "a string, a number or a boolean")
        if as_table(value) is not None:
            error.help = f'an expression is one key, in quotes: "{key}.name" = value'
        raise error

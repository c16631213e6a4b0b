"""The files of a project, each parsed when it is first asked for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

from opcheck_rules.model.project import Unreadable

from .skeleton import lazily_parsed
from .source import Source, UnreadableError, decode, parse_source, read_bytes

Waits: TypeAlias = Callable[[Path], bool]


class Sources(Mapping[Path, Source]):
    """Parsed files. One that cannot be parsed is empty, and is put on record in `unreadable`.

    Of a file that `waits` the body of a function is parsed when it is asked for, and what is wrong with it found then.
    """

    def __init__(self, paths: Iterable[Path], unreadable: list[Unreadable], waits: Waits = lambda _: False) -> None:
        self._paths = list(paths)
        self._waits = waits
        self._parsed: dict[Path, Source] = {}
        self.unreadable = unreadable

    def __getitem__(self, path: Path) -> Source:
        if path not in self._parsed:
            self._parsed[path] = self._read(path, whole=not self._waits(path))
        return self._parsed[path]

    def parse(self, path: Path) -> None:
        """Parse a file whole, for what is wrong with it to be known."""
        self._parsed[path] = self._read(path, whole=True)

    def __iter__(self) -> Iterator[Path]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def _read(self, path: Path, *, whole: bool) -> Source:
        try:
            text = decode(path, read_bytes(path))
            found = None if whole else lazily_parsed(text, cache(lambda: self._read(path, whole=True).tree.body))
            return parse_source(path, text) if found is None else Source(path, text, ast.Module(found, []))
        except UnreadableError as error:
            self.unreadable.append(error.fact)
            return Source(path, "", ast.Module([], []))

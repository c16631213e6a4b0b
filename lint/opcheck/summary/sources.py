"""The files of a project, each parsed when it is first asked for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from opcheck_rules.model.project import Unreadable

from .source import Source, UnreadableError, read_source


class Sources(Mapping[Path, Source]):
    """Parsed files. One that cannot be parsed is empty, and is put on record in `unreadable`."""

    def __init__(self, paths: Mapping[Path, object], unreadable: list[Unreadable]) -> None:
        self._paths = paths
        self._parsed: dict[Path, Source] = {}
        self.unreadable = unreadable

    def __getitem__(self, path: Path) -> Source:
        if path not in self._parsed:
            self._parsed[path] = self._read(path)
        return self._parsed[path]

    def parse(self, path: Path) -> None:
        """Parse a file, for what is wrong with it to be known."""
        _ = self[path]

    def __iter__(self) -> Iterator[Path]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def _read(self, path: Path) -> Source:
        try:
            return read_source(path)
        except UnreadableError as error:
            self.unreadable.append(error.fact)
            return Source(path, "", ast.Module([], []))

"""Small projects with a described dispatcher, read as a user's would be."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest
from tests.files import write_all

from opcheck.config import load
from opcheck.discovery import discover
from opcheck.read import read, read_everything

from ..conftest import Read


class Describes(Protocol):
    """Reads sources, by file name or all in one, with the dispatcher that some TOML describes."""

    def __call__(self, described: str, source: str | Mapping[str, str]) -> Read: ...


@pytest.fixture
def described(tmp_path: Path) -> Describes:
    """Write sources and a configuration to a folder and read them; one source alone is `lib.py`.

    Whatever is read is read in full as well, which has to say the same.
    """

    def read_described(described: str, source: str | Mapping[str, str]) -> Read:
        texts = {"lib.py": source} if isinstance(source, str) else source
        write_all(tmp_path, {name: textwrap.dedent(text) for name, text in texts.items()})
        (tmp_path / "opcheck.toml").write_text("[[dispatchers]]\nname = 'own'\n" + textwrap.dedent(described))
        settings = load(tmp_path / "opcheck.toml")
        files = discover(settings, [tmp_path])
        found = Read(read(settings, files))
        assert shown(found) == shown(Read(read_everything(settings, files)))
        return found

    return read_described


def shown(found: Read) -> dict[str, dict[str, list[tuple[str, str, str]]]]:
    """Every cell of a table, written out."""
    return {
        op.name: {
            f"{backend} {context}": [(o.status.value, o.condition.render(), o.reason) for o in cell.outcomes]
            for (backend, context), cell in op.cells.items()
        }
        for op in found.reading.project.ops
    }


def row(found: Read, op: str) -> str:
    """The forward statuses of one op, in the order of columns."""
    cells = found.op(op).cells
    return " ".join(str(found.cell(op, backend, backends=(backend,)).status) for backend, c in cells if c == "forward")

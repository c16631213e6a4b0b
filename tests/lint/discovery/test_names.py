"""Names compared as text: the same as the paths that they are of."""

from __future__ import annotations

from itertools import product
from pathlib import Path, PurePath

import pytest

from opcheck.discovery import files_at
from opcheck.discovery.names import in_order, is_below, relative, upwards

_PATHS = ("/", "/a", "/a/b", "/a/b/c.py", "/a/b.py", "/a/b c/d.py", "/a/b!/d.py", "/ab/c.py", "/a/\udcff.py", "/a/é.py")
NAMES = [str(PurePath(path)) for path in _PATHS]


@pytest.mark.parametrize(("name", "folder"), list(product(NAMES, repeat=2)))
def test_what_lies_in_a_folder(name: str, folder: str) -> None:
    path = PurePath(name)

    assert is_below(name, folder) == path.is_relative_to(folder)
    if is_below(name, folder):
        assert PurePath(relative(name, folder)) == path.relative_to(folder)


@pytest.mark.parametrize("name", NAMES)
def test_the_folders_around_one(name: str) -> None:
    assert list(upwards(name)) == [name, *map(str, PurePath(name).parents)]


def test_the_order_is_that_of_paths() -> None:
    assert sorted(NAMES, key=in_order) == list(map(str, sorted(map(PurePath, NAMES))))


def test_files_are_given_as_paths_and_by_their_names(tmp_path: Path) -> None:
    path, library, source = (tmp_path / name for name in ("a.py", "_C.so", "k.cu"))

    files = files_at(tmp_path, [path], [source], compiled=[library], native_sources=[source])

    assert (files.python, files.paths) == ((str(path),), (path,))
    assert (files.extensions, files.compiled) == ((str(library),), (library,))
    assert (files.native, files.native_sources) == ((str(source),), (source,))
    assert files.reported == frozenset({source})
    assert [name for name in map(str, (path, library, source, tmp_path)) if files.asks_for(name)] == [str(source)]
    assert files.count == 2

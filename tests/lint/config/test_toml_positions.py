"""Positions in a TOML document: each extent, read back, is what tomllib found there."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opcheck.config.positions import Keys, positions

_TEXT = st.text("ab #=.,[]{}\"'\\é漢\N{GRINNING FACE}", max_size=8)
_BLANKS = st.sampled_from(["", " ", "\t"])
_BREAKS = st.sampled_from(["", " ", "\n", "\n  # a ] comment, with } = \"'''\n", "\t"])


@st.composite
def _strings(draw: st.DrawFn) -> str:
    text = draw(_TEXT)
    forms = [json.dumps(text, ensure_ascii=False), f'"""{json.dumps(text, ensure_ascii=False)[1:-1]}\n"""']
    if "'" not in text:
        forms += [f"'{text}'", f"'''{text}\n'''"]
    if text[-1:] not in ("", "\\"):
        forms.append(f'"""{json.dumps(text, ensure_ascii=False)[1:-1]}"""""')
    return draw(st.sampled_from(forms))


_SCALARS = st.one_of(
    _strings(),
    st.integers().map(str),
    st.floats(allow_nan=False).map(lambda number: repr(number) if "e" not in repr(number) else "1.5e3"),
    st.sampled_from(["true", "false", "1979-05-27 07:32:00", "07:32:00", "0xFF", "inf"]),
)
_KEYS = st.text("aZ0_-", min_size=1, max_size=2) | _TEXT.map(lambda text: json.dumps(text, ensure_ascii=False))


@st.composite
def _arrays(draw: st.DrawFn, values: st.SearchStrategy[str]) -> str:
    items = draw(st.lists(values, max_size=3))
    gaps = [draw(_BREAKS) + item + draw(_BREAKS) for item in items]
    return "[" + ",".join(gaps) + draw(st.sampled_from(["", ","] if items else [""])) + draw(_BREAKS) + "]"


@st.composite
def _inline_tables(draw: st.DrawFn, values: st.SearchStrategy[str]) -> str:
    pairs = draw(st.dictionaries(_KEYS, values, max_size=2))
    return "{" + ",".join(f"{draw(_BLANKS)}{key} = {value}{draw(_BLANKS)}" for key, value in pairs.items()) + "}"


_VALUES = st.recursive(_SCALARS, lambda inner: _arrays(inner) | _inline_tables(inner), max_leaves=5)


@st.composite
def _documents(draw: st.DrawFn) -> str:
    """Pairs, dotted pairs, tables and arrays of tables; whatever tomllib refuses is drawn again."""
    lines: list[str] = []
    for _ in range(draw(st.integers(0, 6))):
        key = draw(_BLANKS).join([".", ""]).join(draw(st.lists(_KEYS, min_size=1, max_size=3)))
        shape = draw(st.sampled_from(["{} = " + draw(_VALUES), "[{}]", "[[{}]]", "[ {} ] # note", "# {}"]))
        lines.append(shape.replace("{}", key, 1))
    return "\n".join(lines)


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _parts(value: object, keys: Keys = ()) -> Iterator[tuple[Keys, object]]:
    """Every value of a document with the keys that lead to it."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*keys, key), item
        yield from _parts(item, (*keys, key))


@settings(deadline=None)
@given(_documents())
def test_each_extent_reads_back_as_what_stands_there(text: str) -> None:
    data = _parsed(text)
    if data is None:
        return
    found = positions(text)
    parts = dict(_parts(data))
    for keys, extent in found.values.items():
        assert tomllib.loads("x = " + text[extent.start : extent.end])["x"] == parts[keys]
    for keys, extent in found.keys.items():
        written = text[extent.start : extent.end]
        assert list(tomllib.loads(f"{written} = 0")) == [next(k for k in reversed(keys) if isinstance(k, str))]


@settings(deadline=None)
@given(_documents())
def test_every_key_and_every_scalar_has_a_place(text: str) -> None:
    data = _parsed(text)
    if data is None:
        return
    found = positions(text)
    for keys, value in _parts(data):
        assert keys in found.values or keys in found.keys
        if isinstance(keys[-1], str):
            assert keys in found.keys
        if not isinstance(value, dict | list):
            assert keys in found.values


@pytest.mark.parametrize(
    ("text", "keys", "expected"),
    [
        ('a = ["x", "y"]', ("a", 1), '"y"'),
        ("a = 1 # one", ("a",), "1"),
        ('a = """q\\"x"""""', ("a",), '"""q\\"x"""""'),
        ("[t]\n[[t.u]]\nb = 1\n[[t.u]]\nb = 2", ("t", "u", 1, "b"), "2"),
        ("[[t]]\n[[t.u]]\n[t.u.v]\nb = 3", ("t", 0, "u", 0, "v", "b"), "3"),
        ("a.b . c = 4", ("a", "b", "c"), "4"),
        ("a = {b = [{c = 5}]}", ("a", "b", 0, "c"), "5"),
        ("a = 1979-05-27 07:32:00", ("a",), "1979-05-27 07:32:00"),
    ],
)
def test_values_are_found_by_their_keys(text: str, keys: Keys, expected: str) -> None:
    extent = positions(text).values[keys]

    assert text[extent.start : extent.end] == expected


def test_a_pair_reaches_from_its_key_to_the_end_of_its_value() -> None:
    text = "[tool.opcheck]\n  autodiff   = true # on"
    extent = positions(text).pairs["tool", "opcheck", "autodiff"]

    assert text[extent.start : extent.end] == "autodiff   = true"

"""The functions that scripts about described dispatchers are made of, called here as they are there."""

from __future__ import annotations

import collections
import json
from typing import Any

import pytest

from opcheck.confirm.pieces.described import bare, found, invoke


def test_what_a_path_names() -> None:
    assert found("json") is json
    assert found("json.decoder.JSONDecoder") is json.JSONDecoder
    assert found("collections.OrderedDict.fromkeys")("a") == collections.OrderedDict.fromkeys("a")


def test_a_path_that_names_nothing() -> None:
    with pytest.raises(ImportError, match="no_such_module_at_all"):
        found("no_such_module_at_all.Name")
    with pytest.raises(AttributeError):
        found("json.no_such_name")


def test_an_object_whose_init_was_not_run() -> None:
    made = bare("argparse.ArgumentParser", prog="x")
    assert vars(made) == {"prog": "x"}


def _takes(one: Any, /, two: Any, *rest: Any, three: Any, four: int = 4, **more: Any) -> tuple[Any, ...]:
    return one, two, rest, three, four, more


def test_nothing_is_given_for_what_a_function_asks_for() -> None:
    assert invoke(_takes) == (None, None, (), None, 4, {})
    assert invoke(_takes, 1, three=3, five=5) == (1, None, (), 3, 4, {"five": 5})

"""What is not parsed because its text says nothing of ops: it changes nothing of what is found."""

from __future__ import annotations

import importlib.util
import random
import tempfile
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opcheck.read
import opcheck.summary.preparse

from .generated_projects import write_project
from .lossless import is_lossless

PACKAGES = ("bitsandbytes", "optimum.quanto", "torchao")


def generated_is_lossless(seed: int) -> bool:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        write_project(random.Random(seed), folder)
        return is_lossless(folder)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10**6))
def test_generated_projects_read_the_same(seed: int) -> None:
    assert generated_is_lossless(seed)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10**6))
def test_generated_projects_read_the_same_where_functions_wait_as_they_do_in_large_ones(seed: int) -> None:
    with mock.patch.object(opcheck.read, "_SMALL", -1), mock.patch.object(opcheck.summary.preparse, "_WORTH", 1):
        assert generated_is_lossless(seed)


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_real_packages_read_the_same(package: str) -> None:
    found = importlib.util.find_spec(package.partition(".")[0])
    if found is None or not found.submodule_search_locations:
        pytest.skip(f"{package} is not installed")
    folder = Path(next(iter(found.submodule_search_locations))).joinpath(*package.split(".")[1:])

    assert is_lossless(folder)

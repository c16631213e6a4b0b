"""What is not parsed because its text says nothing of ops: it changes nothing of what is found."""

from __future__ import annotations

import importlib.util
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opcheck.read
from opcheck.config import unconfigured
from opcheck.discovery import discover
from opcheck.engine import check, tables
from opcheck.read import read, read_everything
from opcheck.reading import Reading
from opcheck.report.entries import entries
from opcheck_rules import ALL_RULES
from opcheck_rules.model.target import Target

from .generated_projects import write_project

TARGETS = (
    Target("host", ("cpu", "numpy"), autodiff=True, compile=True, vmap=True),
    Target("device", ("cuda", "cupy"), assume={"'F' in os.environ": True, "env:X": True, "os.environ['X']": "1"}),
)
PACKAGES = ("bitsandbytes", "optimum.quanto", "torchao")


def shown(reading: Reading, folder: Path) -> Iterator[object]:
    """All that a user is shown of a project: its tables and its findings."""
    for target in TARGETS:
        for op in sorted(reading.project.ops, key=lambda op: (op.framework, op.name)):
            cells = entries(op, list(tables(reading, target)), (), folder)
            yield op.name, op.span, [(c.target, c.backend, c.context, c.status, c.via) for c in cells]
    for finding in check(reading, TARGETS, ALL_RULES):
        yield finding.code, finding.op, finding.backend, finding.severity, finding.primary


def is_lossless(folder: Path) -> bool:
    plain = unconfigured(folder)
    files = discover(plain, [folder])
    return list(shown(read(plain, files), folder)) == list(shown(read_everything(plain, files), folder))


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
def test_generated_projects_read_the_same_where_definitions_wait_as_they_do_in_large_ones(seed: int) -> None:
    with mock.patch.object(opcheck.read, "_SMALL", -1):
        assert generated_is_lossless(seed)


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_real_packages_read_the_same(package: str) -> None:
    found = importlib.util.find_spec(package.partition(".")[0])
    if found is None or not found.submodule_search_locations:
        pytest.skip(f"{package} is not installed")
    folder = Path(next(iter(found.submodule_search_locations))).joinpath(*package.split(".")[1:])

    assert is_lossless(folder)

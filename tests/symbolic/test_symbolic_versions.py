"""Versions in the many spellings that real packages test them in."""

from __future__ import annotations

import pytest
from tests.symbolic.conftest import Run

HEAD = """
import importlib.metadata, sys, torch, triton
from importlib.metadata import version as installed
from packaging import version
from packaging.version import Version, parse
from torch import __version__ as torch_version
TORCH_2_6 = parse(torch.__version__) >= parse("2.6")
PARTS = torch.__version__.split(".")
major, minor = PARTS[:2]
"""
TESTS: list[tuple[str, str]] = [
    ('torch.__version__ >= "2.6"', "torch.__version__ >= '2.6'"),
    ('"2.6" <= torch.__version__', "torch.__version__ >= '2.6'"),
    ('torch_version >= "2.6"', "torch.__version__ >= '2.6'"),
    ('torch.version.__version__ >= "2.6"', "torch.__version__ >= '2.6'"),
    ('version.parse(torch.__version__) >= version.parse("2.6")', "torch.__version__ >= '2.6'"),
    ('Version(torch.__version__) > Version("2.6")', "torch.__version__ > '2.6'"),
    ('Version("2.6") <= Version(torch.__version__)', "torch.__version__ >= '2.6'"),
    ('parse(torch.__version__.split("+")[0]) >= parse("2.6")', "torch.__version__ >= '2.6'"),
    ('parse(torch.__version__.partition("+")[0]) >= parse("2.6")', "torch.__version__ >= '2.6'"),
    ('Version(Version(torch.__version__).base_version) >= Version("2.6")', "torch.__version__ >= '2.6'"),
    ('parse(importlib.metadata.version("torch")) >= parse("2.6")', "torch.__version__ >= '2.6'"),
    ('parse(installed("torch")) == parse("2.6")', "torch.__version__ == '2.6'"),
    ('parse(str(torch.__version__)) != parse("2.6")', "torch.__version__ != '2.6'"),
    ("parse(torch.__version__).release >= (2, 6)", "torch.__version__ >= (2, 6)"),
    ('tuple(int(x) for x in torch.__version__.split(".")[:2]) >= (2, 6)', "torch.__version__[:2] >= (2, 6)"),
    ('tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 6)', "torch.__version__[:2] >= (2, 6)"),
    ('[int(x) for x in torch.__version__.split(".")[:2]] < [2, 6]', "torch.__version__[:2] < (2, 6)"),
    ("(2, 6) > tuple(map(int, PARTS[:2]))", "torch.__version__[:2] < (2, 6)"),
    ("(int(major), int(minor)) >= (2, 6)", "torch.__version__[:2] >= (2, 6)"),
    ('int(torch.__version__.split(".")[0]) >= 2', "torch.__version__.major >= 2"),
    ('torch.__version__.split(".")[0] == "2"', "torch.__version__.major == 2"),
    ("parse(torch.__version__).minor < 6", "torch.__version__.minor < 6"),
    ("TORCH_2_6", "torch.__version__ >= '2.6'"),
    ("not TORCH_2_6", "torch.__version__ < '2.6'"),
    ('parse(triton.__version__) >= parse("3.0")', "triton.__version__ >= '3.0'"),
    ("sys.version_info >= (3, 11)", "sys.version_info >= (3, 11)"),
    ("sys.version_info[:2] == (3, 11)", "sys.version_info[:2] == (3, 11)"),
    ("sys.version_info[0] == 3", "sys.version_info.major == 3"),
    ("sys.version_info.minor >= 11", "sys.version_info.minor >= 11"),
    ('installed("triton") >= "3"', "importlib.metadata.version('triton') >= '3'"),
    ('parse("2.6") < parse("2.10")', "packaging.version.parse('2.6') < packaging.version.parse('2.10')"),
    ('parse("2.6") == "2.6"', "'2.6' == '2.6'"),
    ('torch.__version__.startswith("2.")', "torch.__version__.startswith('2.')"),
    ('torch.__version__[0] == "2"', "torch.__version__[0] == '2'"),
    ('torch.__version__[:3] == "2.6"', "torch.__version__[:3] == '2.6'"),
    ('torch.__version__.split(".")[5] == "2"', "torch.__version__[5] == '2'"),
    ('torch.__version__.split(".")[1:] == ("2",)', "torch.__version__[1:] == ('2',)"),
    ("not torch.__version__ < other", "not torch.__version__ < other"),
    ("sys.version_info[:2] >= other", "not sys.version_info[:2] < other"),
    ("sys.version_info[0] >= other", "not sys.version_info.major < other"),
    ('sys.version_info[:2] >= ("a",)', "sys.version_info[:2] >= ('a',)"),
    ('"cu" in torch.__version__', "'cu' in torch.__version__"),
    ('parse(other) >= parse("2.6")', "packaging.version.parse(other) >= '2.6'"),
    ("(1, int(minor)) == (2, 6)", "(1, torch.__version__.minor) == (2, 6)"),
    ('parse("2.6") in ("2.6",)', "'2.6' == '2.6'"),
]


@pytest.mark.parametrize(("text", "expected"), TESTS, ids=[text for text, _ in TESTS])
def test_a_version_test_is_one_atom(run: Run, text: str, expected: str) -> None:
    assert run(f"{HEAD}if {text}: probe(1)\n").probe(1) == expected


def test_the_version_of_what_may_not_be_installed_may_fail(run: Run) -> None:
    found = run(f"{HEAD}try:\n    v = installed('triton')\nexcept Exception:\n    probe(1)\n")

    assert found.probe(1) == "not importlib.metadata.version('triton') succeeds"


def test_a_version_says_it_is_not_none(run: Run) -> None:
    assert run(f"{HEAD}x = torch.__version__ is None, int(), f'{{torch.__version__}}'\n").value("m.x") == (
        False,
        "?int()",
        "?f'{torch.__version__}'",
    )

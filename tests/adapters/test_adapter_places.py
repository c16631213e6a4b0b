"""Where an op is said to be declared: where its name is written, or where a helper is called that is not given it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.adapters.conftest import Reader

HELPERS = """\
import torch

lib = torch.library.Library("ns", "DEF")


def declared(name, **options):
    def declare(function):
        options["mutates_args"] = ()
        return torch.library.custom_op(name, function, **options)
    return declare


def registered(op_name, op_func, mutates_args=()):
    lib.define(op_name + torch.library.infer_schema(op_func, mutates_args=mutates_args))
    lib.impl(op_name, op_func, "CUDA")


def defined(schema):
    lib.define(schema)


def through(name):
    return declared(name)


def twice(names=("first", "second")):
    for name in names:
        torch.library.define(f"ns::{name}", "(Tensor x) -> Tensor")


def itself(function):
    torch.library.define("ns::itself", "(Tensor x) -> Tensor")
    return torch.library.custom_op(f"ns::{function.__name__}", function, mutates_args=())
"""


@pytest.mark.parametrize(
    ("used", "op", "name", "listing"),
    [
        (
            '@declared("ns::op", device_types=["cuda"])\ndef f(x: torch.Tensor) -> torch.Tensor: ...\n',
            "ns::op",
            '"ns::op"',
            '["cuda"]',
        ),
        (
            '@declared(device_types="cpu", name="ns::op")\ndef f(x: torch.Tensor) -> torch.Tensor: ...\n',
            "ns::op",
            '"ns::op"',
            '"cpu"',
        ),
        ('@through("ns::op")\ndef f(x: torch.Tensor) -> torch.Tensor: ...\n', "ns::op", '"ns::op"', '"ns::op"'),
        (
            'def f(x: torch.Tensor) -> torch.Tensor: ...\nregistered(op_name="op", op_func=f)\n',
            "ns::op",
            '"op"',
            '"op"',
        ),
        ('defined("op(Tensor x) -> Tensor")\n', "ns::op", '"op(Tensor x) -> Tensor"', '"op(Tensor x) -> Tensor"'),
        ("twice()\n", "ns::second", "twice()", "twice()"),
        ('twice(("second",))\n', "ns::second", 'twice(("second",))', 'twice(("second",))'),
        ("@itself\ndef f(x: torch.Tensor) -> torch.Tensor: ...\n", "ns::itself", "itself", "itself"),
        ("@itself\ndef f(x: torch.Tensor) -> torch.Tensor: ...\n", "ns::f", "itself", "itself"),
    ],
)
def test_an_op_is_declared_where_its_name_is_written(
    reader: Reader, used: str, op: str, name: str, listing: str
) -> None:
    found = reader({"helpers.py": HELPERS, "ops.py": f"import torch\nfrom helpers import *\n\n{used}"}).op(op)

    assert [_at(span.path, span.line, span.column, span.end_column) for span in (found.span, found.listing)] == [
        name,
        listing,
    ]


def _at(path: str, line: int, start: int, end: int) -> str:
    return Path(path).read_text().splitlines()[line - 1][start - 1 : end - 1]

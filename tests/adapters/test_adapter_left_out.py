"""Cells that the configuration leaves out on purpose."""

from __future__ import annotations

from opcheck_rules.model.finding import Span

from .conftest import Reader

SOURCE = """
import torch
for name in ("one", "two"):
    torch.library.define(f"ns::{name}", "(Tensor x) -> Tensor")
    torch.library.impl(f"ns::{name}", "cpu", lambda x: x)
"""


def test_a_hole_left_out_on_purpose_is_excluded_in_every_context(reader: Reader) -> None:
    where = Span("/project/pyproject.toml", 7, 1, 7, 9)
    read = reader(SOURCE, unsupported={"ns::o*": ("cpu", "cuda")}, origin={"unsupported.ns::o*": where})
    hole = read.cell("ns::one", "cuda").outcomes[0].outcome

    assert (hole.reason, hole.span) == ("left out on purpose at /project/pyproject.toml:7", where)
    assert [read.status("ns::one", "cuda", c) for c in ("forward", "autodiff", "compile")] == ["excluded"] * 3
    assert read.status("ns::one", "cpu") == "covered:CPU"
    assert read.status("ns::one", "xpu") == "hole"
    assert read.status("ns::two", "cuda") == "hole"


def test_without_a_place_the_reason_names_none(reader: Reader) -> None:
    read = reader(SOURCE, unsupported={"*": ("cuda",)})

    assert read.reason("ns::two", "cuda") == "left out on purpose"

"""Cells that are left out on purpose, by the configuration or on the declaration, and marks that leave nothing out."""

from __future__ import annotations

import pytest

from opcheck_rules.model.finding import Span

from .conftest import Reader

SOURCE = """
import torch
for name in ("one", "two"):
    torch.library.define(f"ns::{name}", "(Tensor x) -> Tensor")
    torch.library.impl(f"ns::{name}", "cpu", lambda x: x)
"""
WHERE = Span("/project/pyproject.toml", 7, 1, 7, 9)


def _unused(reader: Reader, source: str, **unsupported: str) -> list[tuple[str, str, str]]:
    """What is said of each unused mark, of which the configuration has those given by keyword: backends by pattern."""
    read = reader(source, unsupported={pattern: {backend: WHERE} for pattern, backend in unsupported.items()})
    return [(unused.what, unused.why, unused.help) for unused in read.reading.project.unused_suppressions]


def test_a_hole_left_out_on_purpose_is_excluded_in_every_context(reader: Reader) -> None:
    read = reader(SOURCE, unsupported={"ns::o*": {"cuda": WHERE}, "ns::one": {"cuda": WHERE}})
    hole = read.cell("ns::one", "cuda").outcomes[0].outcome

    assert (hole.reason, hole.span) == ("left out on purpose at /project/pyproject.toml:7", WHERE)
    assert [read.status("ns::one", "cuda", c) for c in ("forward", "autodiff", "compile")] == ["excluded"] * 3
    assert read.status("ns::one", "cpu") == "covered:CPU"
    assert read.status("ns::one", "xpu") == "hole"
    assert read.status("ns::two", "cuda") == "hole"
    assert read.reading.project.unused_suppressions == ()


def test_a_backend_that_has_a_kernel_is_not_left_out(reader: Reader) -> None:
    read = reader(SOURCE, unsupported={"ns::one": {"cpu": WHERE}})

    assert read.status("ns::one", "cpu") == "covered:CPU"
    assert read.status("ns::one", "cpu", "compile") == "hole"


@pytest.mark.parametrize(
    ("pattern", "backend", "unused"),
    [
        ("ns::*", "cuda", []),
        ("ns::one", "cpu", [("no op called so lacks a `cpu` kernel", "remove it")]),
        ("ns::one", "cupy", [("no op called so lacks a `cupy` kernel", "remove it")]),
        ("ns::onee", "cuda", [("no op that was read is called so", "did you mean `ns::one`?")]),
        ("other", "cuda", [("no op that was read is called so", "remove it")]),
    ],
)
def test_an_entry_that_leaves_nothing_out_is_unused(
    reader: Reader, pattern: str, backend: str, unused: list[tuple[str, str]]
) -> None:
    found = _unused(reader, SOURCE, **{pattern: backend})

    assert found == [(f"leaving `{backend}` out of `{pattern}`", *said) for said in unused]


def test_an_entry_for_what_may_be_defined_elsewhere_is_not_judged(reader: Reader) -> None:
    loads = SOURCE + "torch.ops.load_library('kernels.so')\n"

    assert _unused(reader, loads, **{"ns::op": "cuda"}) == []
    assert len(_unused(reader, SOURCE, **{"ns::op": "cuda"})) == 1


def test_a_kernel_under_a_guard_leaves_something_to_leave_out(reader: Reader) -> None:
    guarded = "try:\n    import triton\nexcept ImportError:\n    pass\nelse:\n"
    kernel = "    torch.library.impl('ns::one', 'cuda', lambda x: x)\n"

    assert _unused(reader, SOURCE + guarded + kernel, **{"ns::one": "cuda"}) == []
    assert len(_unused(reader, SOURCE + kernel.strip(), **{"ns::one": "cuda"})) == 1


def test_an_op_that_is_only_there_under_a_guard_is_judged_there(reader: Reader) -> None:
    source = "import torch, other\nif other.ON:\n" + SOURCE.replace("\n", "\n    ").replace("import torch", "pass")

    assert [what for what, _, _ in _unused(reader, source, **{"ns::*": "cpu"})] == ["leaving `cpu` out of `ns::*`"]
    assert _unused(reader, source, **{"ns::*": "cuda"}) == []


def test_an_op_without_a_definition_may_lack_any_kernel(reader: Reader) -> None:
    source = "import torch\ntorch.library.impl('ns::one', 'cpu', lambda x: x)\n"

    assert _unused(reader, source, **{"ns::one": "cuda"}) == []


NATIVE = """
from opcheck_runtime import FloatArray, gated, op
import other
LEFT = {"cupy": "why"}
@op(backends=%s, unsupported=%s)
def f(x: FloatArray) -> FloatArray:
    return x
"""


@pytest.mark.parametrize(
    ("backends", "left_out", "unused"),
    [
        ("['numpy']", "LEFT", []),
        ("['numpy', *(['cupy'] if other.ON else [])]", "LEFT", []),
        ("other.LIST", "LEFT", []),
        ("['numpy']", "other.LEFT", []),
        ("['numpy', 'cupy']", "LEFT", [("`cupy` is listed", "keep one of the two")]),
        ("['cupy']", "{'numpy': 'why', **LEFT}", [("`cupy` is listed", "keep one of the two")]),
        ("[gated('cupy', feature='gpu')]", "{'cupy': 'why'}", [("`cupy` is listed", "keep one of the two")]),
        ("['numpy']", "{'cup': 'why'}", [("no backend is called so", "did you mean `cupy`?")]),
        ("['numpy']", "{'tpu': 'why'}", [("no backend is called so", "remove it")]),
    ],
)
def test_a_mark_on_a_declaration_that_leaves_nothing_out_is_unused(
    reader: Reader, backends: str, left_out: str, unused: list[tuple[str, str]]
) -> None:
    assert [said[1:] for said in _unused(reader, NATIVE % (backends, left_out))] == unused


def test_a_mark_is_shown_where_it_is_written(reader: Reader) -> None:
    def place(left_out: str) -> tuple[int, int, int]:
        project = reader(NATIVE % ("['numpy', 'cupy']", left_out)).reading.project
        span = project.unused_suppressions[0].span
        return span.line, span.column, span.end_column

    assert place("LEFT") == (5, 45, 49)
    assert place("{'numpy': 'no', 'cupy': 'why'}") == (5, 46, 53)
    assert place("{**LEFT}") == (5, 45, 53)


def test_a_mark_says_what_the_declaration_raises(reader: Reader) -> None:
    unused = reader(NATIVE % ("['numpy']", "{'cup': 'why'}")).reading.project.unused_suppressions[0]

    assert (unused.op, unused.framework, unused.backend) == ("pkg.f", "native", "cup")
    assert unused.error is not None
    assert unused.error.message == "custom op `f`: unknown backend `cup`"

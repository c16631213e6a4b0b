"""Misspelt backends and ops, corrected in the literals that spell them."""

from __future__ import annotations

import pytest
from tests.lint.fix.conftest import Project

NATIVE = """\
from opcheck_runtime import FloatArray, gated, op


@op(backends=["numpy", {second}])
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
"""
TORCH = """\
import torch

lib = torch.library.Library("ns", "DEF")
lib.define("shift(Tensor x) -> Tensor")
lib.impl("shift", lambda x: x, "CPU")
lib.impl("shift", lambda x: x, "CUDA")
{more}
"""


def test_a_backend_that_raises_at_import_is_corrected_safely(project: Project) -> None:
    project.write(NATIVE.format(second="'cuppy'"))

    result = project.run("--fix")

    assert project.read() == NATIVE.format(second="'cupy'")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "Fixed 1 finding in 1 file.\n" in result.stderr


def test_a_gate_is_corrected_in_place(project: Project) -> None:
    project.write("[tool.opcheck.targets.serve]\nbackends = ['numpy']\nfeatures = ['gpu']\n", "pyproject.toml")

    fixed = project.fixed(NATIVE.format(second='gated( "cuppy",  feature="gpu")'))

    assert fixed == NATIVE.format(second='gated( "cupy",  feature="gpu")')


def test_a_backend_nothing_is_like_is_left(project: Project) -> None:
    text = NATIVE.format(second='"cupy", "fpga"')

    assert project.fixed(text) == text


def test_a_name_that_comes_from_elsewhere_is_left(project: Project) -> None:
    text = 'NAME = "cuppy"\n' + NATIVE.format(second='"cupy", NAME')

    assert project.fixed(text) == text
    assert "OPC401" in project.codes()


@pytest.mark.parametrize(
    ("written", "fixed"),
    [
        ('lib.impl("shfit", lambda x: x, "XPU")', 'lib.impl("shift", lambda x: x, "XPU")'),
        (
            '@torch.library.impl("ns::shfit", "xpu")\ndef _(x):\n    return x\n\n\n'
            '@torch.library.register_fake("ns::shfit")\ndef _(x):\n    return x',
            '@torch.library.impl("ns::shift", "xpu")\ndef _(x):\n    return x\n\n\n'
            '@torch.library.register_fake("ns::shift")\ndef _(x):\n    return x',
        ),
    ],
)
def test_an_op_is_corrected_wherever_something_is_registered_for_it(project: Project, written: str, fixed: str) -> None:
    assert project.fixed(TORCH.format(more=written)) == TORCH.format(more=fixed)
    assert project.codes() == []


def test_to_correct_an_op_is_unsafe(project: Project) -> None:
    project.write(TORCH.format(more='lib.impl("shfit", lambda x: x, "XPU")'))

    (finding,) = project.findings()

    edit = {"path": "ops.py", "start": [7, 11], "end": [7, 16], "text": "shift"}
    assert finding["fix"] == {"applicability": "unsafe", "edits": [edit]}


@pytest.mark.parametrize(
    "more",
    [
        'NAME = "shfit"\nlib.impl(NAME, lambda x: x, "XPU")',
        'lib.impl("shfit", lambda x: x, "XPU")\nNAME = "shfit"\nlib.impl(NAME, lambda x: x, "MPS")',
        'lib.impl("shfit", lambda x: print("shfit") or x, "XPU")',
        'lib.impl("nothing_like_it", lambda x: x, "XPU")',
    ],
)
def test_an_op_is_left_where_not_each_place_spells_it_once(project: Project, more: str) -> None:
    assert project.fixed(TORCH.format(more=more)) == TORCH.format(more=more)
    assert [finding["fix"] for finding in project.findings()] == [None]


def test_a_namespace_is_corrected_with_the_name_in_full(project: Project) -> None:
    wrong = '@torch.library.impl("nns::shift", "xpu")\ndef _(x):\n    return x'

    fixed = project.fixed(TORCH.replace('"ns"', '"nnns"').format(more=wrong))

    assert '@torch.library.impl("nnns::shift", "xpu")' in fixed


def test_a_dispatch_key_is_spelt_in_capitals(project: Project) -> None:
    text = TORCH.format(more="").replace('"CUDA"', '"{key}"')

    assert project.fixed(text.format(key="CUDAA")) == text.format(key="CUDA")


def test_a_correction_that_would_declare_a_thing_twice_is_not_made(project: Project) -> None:
    text = NATIVE.format(second='"cupy", "cuppy"')
    project.write(text)

    result = project.run("--fix")

    assert project.read() == text
    assert "not fixed: OPC401 at ops.py:4, as OPC403 would be left" in result.stderr


def test_a_name_in_cpp_is_corrected_there(project: Project) -> None:
    project.write("import torch\ntorch.ops.load_library('ops.so')\n")
    project.write(b"", "ops.so")
    source = '#include <torch/library.h>\nTORCH_LIBRARY(ns, m) {{\n  m.def("shift(Tensor x) -> Tensor", &f);\n}}\n'
    source += 'TORCH_LIBRARY_IMPL(ns, CUDA, m) {{\n  m.impl("{name}", f);  // {name}\n}}\n'
    project.write(source.format(name="shfit"), "ops.cpp")

    project.run("--fix", "--unsafe-fixes")

    assert '  m.impl("shift", f);  // shfit\n' in project.read("ops.cpp")

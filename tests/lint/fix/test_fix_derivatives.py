"""Derivatives that are declared for their author to write."""

from __future__ import annotations

import pytest
from tests.lint.fix.conftest import Project

CONFIG = '[tool.opcheck.targets.train]\nbackends = ["numpy"]\nautodiff = true\n'
OP = """\
from opcheck_runtime import FloatArray, op


@op(backends=["numpy"]{autodiff})
def scale(x: FloatArray, by: float = 2.0) -> FloatArray:
    return x * by
"""
STUB = """

@scale.vjp
def _(grad, out, x, by):
    raise NotImplementedError("the derivative of `scale`")
"""
RULE = "\n\n@scale.vjp\ndef _(grad, out, x, by):\n    return grad * by\n"


@pytest.fixture(autouse=True)
def training(project: Project) -> None:
    project.write(CONFIG, "pyproject.toml")


@pytest.mark.parametrize("autodiff", ["", ", autodiff=False"])
def test_a_derivative_is_declared_and_its_rule_begun(project: Project, autodiff: str) -> None:
    fixed = project.fixed(OP.format(autodiff=autodiff))

    assert fixed == OP.format(autodiff=", autodiff=True") + STUB
    assert project.codes() == []


@pytest.mark.parametrize("end", [",\n", ",  # the host\n", "\n"])
def test_a_declaration_over_lines_gets_one_more(project: Project, end: str) -> None:
    text = (
        OP.format(autodiff="").replace('@op(backends=["numpy"])', f'@op(\n    backends=[\n        "numpy"\n    ]{end})')
        + RULE
    )
    rest = end if "," in end else ",\n"

    fixed = project.fixed(text)

    assert fixed == text.replace(f"]{end}", f"]{rest}    autodiff=True{',' * (',' in end)}\n")


def test_a_rule_that_is_there_is_declared(project: Project) -> None:
    assert project.fixed(OP.format(autodiff="") + RULE) == OP.format(autodiff=", autodiff=True") + RULE


@pytest.mark.parametrize(
    ("written", "stub"),
    [
        (OP.format(autodiff=", autodiff=True"), STUB),
        (OP.format(autodiff=", autodiff=True").rstrip(), "\n" + STUB),
        (OP.format(autodiff=", autodiff=True").replace("    return", "  return"), STUB.replace("    ", "  ")),
        (OP.format(autodiff=", autodiff=True").replace("    return", "\treturn"), STUB.replace("    ", "\t")),
        (OP.format(autodiff=", autodiff=True").replace("\n    return x * by", " return x * by"), STUB),
    ],
)
def test_a_rule_is_begun_below_its_op(project: Project, written: str, stub: str) -> None:
    assert project.fixed(written) == written + stub
    assert project.codes() == []


def test_a_rule_is_begun_as_far_in_as_its_op(project: Project) -> None:
    head, declaration = OP.format(autodiff=", autodiff=True").split("\n\n\n")
    inner = "".join(f"    {line}\n" for line in declaration.splitlines())
    stub = "".join(f"    {line}\n" if line else "\n" for line in STUB.lstrip("\n").splitlines())

    assert project.fixed(f"{head}\n\nif __debug__:\n{inner}print(1)\n") == (
        f"{head}\n\nif __debug__:\n{inner}\n{stub}print(1)\n"
    )


@pytest.mark.parametrize("parameters", ["x: FloatArray, out: float", "grad: FloatArray, by: float"])
def test_a_rule_whose_parameters_would_clash_is_not_begun(project: Project, parameters: str) -> None:
    for autodiff, code in (("", "OPC201"), (", autodiff=True", "OPC203")):
        text = OP.format(autodiff=autodiff).replace("x: FloatArray, by: float = 2.0", parameters)
        assert project.fixed(text) == text
        assert project.codes() == [code]


@pytest.mark.parametrize("options", ["OFF = False", "OPTIONS = {'backends': ['numpy']}"])
def test_a_declaration_that_is_not_written_out_is_left(project: Project, options: str) -> None:
    declaration = ", autodiff=OFF" if "OFF" in options else ", **OPTIONS"
    text = f"{options}\n" + OP.format(autodiff=declaration)
    text = text.replace('backends=["numpy"], **', "**")

    assert project.fixed(text) == text
    assert [(finding["code"], finding["fix"]) for finding in project.findings()] == [("OPC201", None)]


def test_an_op_of_pytorch_is_left(project: Project) -> None:
    project.write(CONFIG.replace("numpy", "cpu"), "pyproject.toml")
    text = (
        "import torch\n\n\n@torch.library.custom_op('ns::f', mutates_args=())\n"
        "def f(x: torch.Tensor) -> torch.Tensor:\n    return x.clone()\n\n\n"
        "def train(x):\n    return f(x)\n"
    )

    assert project.fixed(text) == text
    assert project.codes() == ["OPC201"]

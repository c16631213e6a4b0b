"""Comments that suppress nothing, taken away with nothing else."""

from __future__ import annotations

import pytest
from tests.lint.fix.conftest import CONFIG, Project

OP = """\
from opcheck_runtime import FloatArray, op

{above}
@op(backends=["numpy", "cupy"]){beside}
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
"""


@pytest.mark.parametrize(
    ("written", "fixed"),
    [
        ("  # opcheck: ignore[OPC101] has to wait", ""),
        ("  # opcheck: ignore[OPC101] see #12 of ours", ""),
        ("  #opcheck:ignore[OPC101]", ""),
        ("  # opcheck: ignore[OPC101, backend-not-supported] twice", ""),
        ("  # opcheck: ignore[OPC101 OPC103]", ""),
        ("  # noqa: E501  # opcheck: ignore[OPC101] has to wait", "  # noqa: E501"),
        ("  # opcheck: ignore[OPC101] has to wait  # noqa: E501", "  # noqa: E501"),
        ("  # opcheck: ignore[OPC101]  # opcheck: ignore[OPC103] x", ""),
    ],
)
def test_a_comment_beside_code_goes(project: Project, written: str, fixed: str) -> None:
    project.write(OP.format(above="", beside=written))

    result = project.run("--fix")

    assert project.read() == OP.format(above="", beside=fixed)
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_line_goes_that_is_nothing_else(project: Project) -> None:
    project.write(OP.format(above="# opcheck: ignore[OPC101] has to wait", beside=""))

    project.run("--fix")

    assert project.read() == OP.format(above="", beside="").replace("\n\n@", "\n@")


@pytest.mark.parametrize("rules", ["OPC103, OPC101", "OPC101, OPC103", "OPC103 ,OPC101,OPC102"])
def test_what_is_in_use_stays(project: Project, rules: str) -> None:
    text = OP.format(above="", beside=f"  # opcheck: ignore[{rules}] has to wait").replace(', "cupy"', "")
    project.write(text)

    result = project.run("--fix")

    assert project.read() == text.replace(rules, "OPC101")
    assert (result.exit_code, result.stdout) == (0, "")


@pytest.mark.parametrize(
    "written",
    [
        "  # opcheck: ignore",
        "  # opcheck: ignore[OPC999]",
        "  # of old; opcheck: ignore[OPC101]",
    ],
)
def test_a_comment_that_may_mean_something_else_stays(project: Project, written: str) -> None:
    text = OP.format(above="", beside=written)

    assert project.fixed(text) == text
    assert [(finding["code"], finding["fix"]) for finding in project.findings()] == [("OPC603", None)]


def test_a_mark_or_a_table_of_the_configuration_stays(project: Project) -> None:
    config = CONFIG + '[tool.opcheck.per-op-ignores]\n"ops.*" = ["OPC101"]\n'
    project.write(config, "pyproject.toml")
    project.write(OP.format(above="", beside=""))

    project.run("--fix")

    assert project.read("pyproject.toml") == config


def test_a_comment_of_the_configuration_goes(project: Project) -> None:
    project.write(CONFIG.rstrip() + "  # opcheck: ignore[OPC101] has to wait\n", "pyproject.toml")
    project.write(OP.format(above="", beside=""))

    project.run("--fix")

    assert project.read("pyproject.toml") == CONFIG


def test_a_comment_of_a_cpp_source_goes_with_its_reason(project: Project) -> None:
    project.write("import torch\ntorch.ops.load_library('ops.so')\n")
    project.write(b"", "ops.so")
    source = '#include <torch/library.h>\nTORCH_LIBRARY(ns, m) {{\n  m.def("f(Tensor x) -> Tensor", &f);{comment}\n}}\n'
    project.write(source.format(comment="  // opcheck: ignore[OPC101] see #12"), "ops.cpp")
    project.write(source.format(comment="  /* opcheck: ignore[OPC101] */").replace("ns", "more"), "more.cpp")

    project.run("--fix")

    assert project.read("ops.cpp") == source.format(comment="")
    assert "/* opcheck" in project.read("more.cpp")

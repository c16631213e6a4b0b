"""A backend that is missing from a declaration's list, added to it as the list is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lint.fix.conftest import Project

from opcheck.fix.backends import slots
from opcheck_rules.model.finding import Span

NATIVE = """\
from opcheck_runtime import FloatArray, gated, op

HOST = ["numpy"]


@op({arguments})
def scale(x: FloatArray, by: float) -> FloatArray:
    return x  *  by  # as it was
"""
TORCH = """\
import torch


@torch.library.custom_op("ns::f", mutates_args=(){arguments})
def f(x: torch.Tensor) -> torch.Tensor:
    return x.clone()
"""
ONE_A_LINE = """
    backends=[
        "numpy",  # the host
        # and so on
    ],
    autodiff=False,
"""


@pytest.mark.parametrize(
    ("written", "fixed"),
    [
        ('backends=["numpy"]', 'backends=["numpy", "cupy"]'),
        ("backends=['numpy']", "backends=['numpy', 'cupy']"),
        ('backends=("numpy",)', 'backends=("numpy", "cupy",)'),
        ('backends=[ "numpy" ]', 'backends=[ "numpy", "cupy" ]'),
        ('backends=["numpy", ]', 'backends=["numpy", "cupy", ]'),
        ('backends=[r"numpy"]', 'backends=[r"numpy", "cupy"]'),
        ('backends={"numpy"}', 'backends={"numpy", "cupy"}'),
        (ONE_A_LINE, ONE_A_LINE.replace("# the host\n", '# the host\n        "cupy",\n')),
        ('backends=[\n  "numpy"  # the host\n]', 'backends=[\n  "numpy",  # the host\n  "cupy"\n]'),
        ('backends=[\n  "numpy"]', 'backends=[\n  "numpy",\n  "cupy"]'),
        ('backends=["numpy"  # the host\n]', 'backends=["numpy", "cupy"  # the host\n]'),
        ('backends=(["numpy"])', 'backends=(["numpy", "cupy"])'),
        ('backends=[("numpy")]', 'backends=[("numpy"), "cupy"]'),
        ('backends=(( "numpy" ), )', 'backends=(( "numpy" ), "cupy", )'),
        ('backends=[\n  (\n    "numpy"\n  ),\n]', 'backends=[\n  (\n    "numpy"\n  ),\n  "cupy",\n]'),
        ('backends=[\n  "numpy"\n  ,\n]', 'backends=[\n  "numpy",\n  "cupy"\n  ,\n]'),
        ('backends=["num" "py"]', 'backends=["num" "py", "cupy"]'),
        ('backends=[\n  "num"\n  "py",\n]', 'backends=[\n  "num"\n  "py",\n  "cupy",\n]'),
        ('backends=[\\\n  "numpy"]', 'backends=[\\\n  "numpy",\n  "cupy"]'),
    ],
)
def test_a_native_op_lists_one_more(project: Project, written: str, fixed: str) -> None:
    after = project.fixed(NATIVE.format(arguments=written))

    assert after == NATIVE.format(arguments=fixed)
    assert project.codes() == []


@pytest.mark.parametrize(
    "written",
    [
        "backends=HOST",
        "**{'backends': HOST}",
        "backends=[*HOST]",
        "backends=HOST + []",
        "backends=[name for name in HOST]",
    ],
)
def test_a_list_that_is_not_written_out_is_left(project: Project, written: str) -> None:
    assert project.fixed(NATIVE.format(arguments=written)) == NATIVE.format(arguments=written)
    assert [(finding["code"], finding["fix"]) for finding in project.findings()] == [("OPC101", None)]


@pytest.mark.parametrize(
    ("written", "fixed"),
    [
        (', device_types="cpu"', ', device_types=["cpu", "cuda"]'),
        (", device_types='cpu'", ", device_types=['cpu', 'cuda']"),
        (', device_types=("c"\r\n    "pu")', ', device_types=(["c"\r\n    "pu", "cuda"])'),
        (', device_types=["cpu"]', ', device_types=["cpu", "cuda"]'),
        (', device_types=("cpu",)', ', device_types=("cpu", "cuda",)'),
    ],
)
def test_a_custom_op_has_one_more_device_type(project: Project, written: str, fixed: str) -> None:
    assert project.fixed(TORCH.format(arguments=written)) == TORCH.format(arguments=fixed)
    assert project.codes() == []


def test_an_op_that_is_defined_has_no_list(project: Project) -> None:
    text = 'import torch\n\ntorch.library.define("ns::f", "(Tensor x) -> Tensor")\n'
    text += 'torch.library.impl("ns::f", "cpu")(abs)\n'

    assert project.fixed(text) == text
    assert project.codes() == ["OPC101"]


def test_an_op_that_a_helper_declares_is_listed_where_that_is_told_of_its_devices(project: Project) -> None:
    helper = (
        "import torch\n\n\ndef declared(name, **options):\n"
        "    return lambda f: torch.library.custom_op(name, f, mutates_args=(), **options)\n"
    )
    op = '@declared("ns::f"{devices})\ndef f(x: torch.Tensor) -> torch.Tensor:\n    return x.clone()\n'
    text = f"{helper}\n\n{op}"

    fixed = project.fixed(text.replace("{devices}", ', device_types="cpu"'))

    assert fixed == text.replace("{devices}", ', device_types=["cpu", "cuda"]')
    assert project.codes() == []
    fixed_in_helper = text.replace("**options)\n", 'device_types="cpu", **options)\n', 1).replace("{devices}", "")
    assert project.fixed(fixed_in_helper) == fixed_in_helper
    assert [(finding["code"], finding["fix"]) for finding in project.findings()] == [("OPC101", None)]


def test_an_op_of_a_cpp_source_has_no_list(project: Project) -> None:
    project.write("import torch\ntorch.ops.load_library('ops.so')\n")
    project.write(b"", "ops.so")
    source = '#include <torch/library.h>\nTORCH_LIBRARY(ns, m) {\n  m.def("f(Tensor x) -> Tensor");\n}\n'
    project.write(source + 'TORCH_LIBRARY_IMPL(ns, CPU, m) {\n  m.impl("f", f);\n}\n', "ops.cpp")

    assert [(finding["code"], finding["fix"]) for finding in project.findings()] == [("OPC101", None)]


@pytest.mark.parametrize("body", ["...", "'''Scaled.'''", "'''Scaled.'''\n    ..."])
def test_a_backend_that_no_body_would_serve_is_not_listed(project: Project, body: str) -> None:
    text = NATIVE.format(arguments='backends=["numpy"]').replace("return x  *  by  # as it was", body)
    text += '\n\n@scale.kernel("numpy")\ndef _(x, by):\n    return x * by\n'

    assert project.fixed(text) == text
    assert [(finding["code"], finding["fix"]) for finding in project.findings()] == [("OPC101", None)]


def test_the_fix_is_shown_and_unsafe(project: Project) -> None:
    project.write(NATIVE.format(arguments='backends=["numpy"]'))

    (finding,) = project.findings()

    edit = {"path": "ops.py", "start": [6, 22], "end": [6, 22], "text": ', "cupy"'}
    assert finding["fix"] == {"applicability": "unsafe", "edits": [edit]}
    assert "Fixed 0 findings in 0 files." in project.run("--fix").stderr


def test_a_newer_syntax_elsewhere_in_the_file_is_no_matter(project: Project) -> None:
    text = NATIVE.format(arguments='backends=["numpy"]') + "\n\ntype Name = str\n"

    assert project.fixed(text) == text.replace('["numpy"])', '["numpy", "cupy"])')


@pytest.mark.parametrize(
    ("text", "value", "edits"),
    [
        ("register(backends={})\n", '["numpy"]', 1),
        ("register(backends={})\n", '"numpy"', 2),
        ("register(backends={})\n", "[]", 0),
        ("register(others={})\n", '["numpy"]', 0),
        ("backends = {}\n", '["numpy"]', 0),
        ("def made(backends={}): pass\n", '["numpy"]', 0),
    ],
)
def test_a_list_takes_one_more_where_it_is_an_argument_that_is_written_out(
    tmp_path: Path, text: str, value: str, edits: int
) -> None:
    path, column = tmp_path / "ops.py", text.index("{") + 1
    path.write_text(text.format(value))

    found = dict(slots([Span(str(path), 1, column, 1, column + len(value))], {}))

    assert [(len(slot.edits), slot.serves) for slot in found.values()] == [(edits, False)] * bool(edits)


def test_a_comment_that_could_be_parted_in_many_ways_takes_no_time(tmp_path: Path) -> None:
    path, comment = tmp_path / "ops.py", f"# backends={'# ' * 400}\n"
    path.write_text(f"{comment}register(['numpy'])\n")

    assert not list(slots([Span(str(path), 2, 10, 2, 19)], {}))


def test_a_list_is_found_behind_a_comment_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "ops.py"
    path.write_text("register(device_types=  # the backends\n['cpu'])\n")

    assert list(slots([Span(str(path), 2, 1, 2, 8)], {}))


def test_of_many_ops_in_one_statement_each_is_found(tmp_path: Path) -> None:
    path, count = tmp_path / "ops.py", 3_000
    line = "    op(f, device_types='cpu'),\n"
    path.write_text(f"ops = [\n{line * count}]\n")
    column = line.index("'") + 1
    places = [Span(str(path), number + 2, column, number + 2, column + 5) for number in range(count)]

    assert [place for place, _ in slots(places, {})] == places

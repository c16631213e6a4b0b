"""Kernels and fakes that have to go, with what belongs to them and nothing else."""

from __future__ import annotations

import pytest
from tests.lint.fix.conftest import Project

OP = """\
from opcheck_runtime import FloatArray, op


@op(backends=["numpy"], unsupported={"cupy": "host only"})
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by


"""
KERNEL = """\
@scale.kernel("cupy")
def _(x, by):
    return x * by
"""
AFTER = "\n\nprint('the end')\n"
FAKE = """\
import torch

torch.library.define("shop::twice", "(Tensor x) -> Tensor")
lib = torch.library.Library("shop", "IMPL")
lib.impl("twice", lambda x: x + x, "CompositeImplicitAutograd")


"""


@pytest.mark.parametrize(
    ("written", "fixed"),
    [
        (OP + KERNEL, OP.rstrip() + "\n"),
        (OP + KERNEL + AFTER, OP + AFTER.lstrip()),
        (OP + "# Of the kernel,\n# in two lines.\n" + KERNEL + AFTER, OP + AFTER.lstrip()),
        (OP + "# Of what follows.\n\n" + KERNEL + AFTER, OP + "# Of what follows.\n" + AFTER),
        (OP + 'scale.kernel("cupy")(lambda x, by: x)  # dead\n' + AFTER, OP + AFTER.lstrip()),
        (OP + 'print(1)\nscale.kernel("cupy")(lambda x, by: x)\n' + AFTER, OP + "print(1)\n" + AFTER),
        (OP + 'print(1)\n\nscale.kernel("cupy")(lambda x, by: x)\nprint(2)\n', OP + "print(1)\n\nprint(2)\n"),
        (OP + KERNEL + "\n \n", OP.rstrip() + "\n"),
        (OP + 'scale.kernel(\n    "cupy",\n)(lambda x, by: x)' + AFTER, OP + AFTER.lstrip()),
        (OP + 'scale.kernel(backend="cupy")(lambda x, by: x)' + AFTER, OP + AFTER.lstrip()),
        (
            OP + 'if FAST:\n    @scale.kernel("cupy")\n    def _(x, by):\n        return x * by\n' + AFTER,
            OP + "if FAST:\n    pass\n" + AFTER,
        ),
        (
            OP
            + 'if FAST:\n    print(1)\n\n    @scale.kernel("cupy")\n    def _(x, by):\n        return x * by\n'
            + AFTER,
            OP + "if FAST:\n    print(1)\n" + AFTER,
        ),
        (
            OP
            + "if FAST:\n    print(1)\nelse:\n    @scale.kernel('cupy')\n    def _(x, by):\n        return x * by\n"
            + AFTER,
            OP + "if FAST:\n    print(1)\nelse:\n    pass\n" + AFTER,
        ),
    ],
)
def test_an_undeclared_kernel_goes(project: Project, written: str, fixed: str) -> None:
    assert project.fixed(written.replace("FAST", "__debug__")) == fixed.replace("FAST", "__debug__")
    assert project.codes() == []


@pytest.mark.parametrize(
    ("written", "fixed"),
    [
        (
            '@scale.kernel("cupy")\n@scale.kernel("numpy")\ndef _(x, by):\n    return x * by\n',
            '@scale.kernel("numpy")\ndef _(x, by):\n    return x * by\n',
        ),
        (
            '@scale.kernel("numpy")\n@scale.kernel("cupy")\ndef _(x, by):\n    return x * by\n',
            '@scale.kernel("numpy")\ndef _(x, by):\n    return x * by\n',
        ),
        (
            '@scale.kernel(\n    "cupy",\n)\ndef plain(x, by):\n    return x * by\n\n\nprint(plain)\n',
            "def plain(x, by):\n    return x * by\n\n\nprint(plain)\n",
        ),
        ('@scale.kernel("cupy")\ndef plain(x, by):\n    return x * by\n', ""),
    ],
)
def test_a_function_that_is_wanted_stays(project: Project, written: str, fixed: str) -> None:
    assert project.fixed(OP + written) == (OP + fixed).rstrip() + "\n"
    assert project.codes() == []


@pytest.mark.parametrize(
    "written",
    [
        'kept = scale.kernel("cupy")(lambda x, by: x)\n',
        'print(scale.kernel("cupy")(lambda x, by: x))\n',
        'scale.kernel("cupy")(lambda x, by: x); print(1)\n',
        'print(1); scale.kernel("cupy")(lambda x, by: x)\n',
        'for backend in ("cupy",):\n    scale.kernel("cupy")(lambda x, by: x)\n',
        'def complete():\n    scale.kernel("cupy")(lambda x, by: x)\n\n\ncomplete()\n',
    ],
)
def test_what_is_more_than_a_registration_stays(project: Project, written: str) -> None:
    assert project.fixed(OP + written) == OP + written
    assert project.codes() == ["OPC404"]


@pytest.mark.parametrize("body", ["return x * by", "..."])
def test_a_backend_that_a_target_runs_on_is_listed_instead(project: Project, body: str) -> None:
    text = OP.replace(', unsupported={"cupy": "host only"}', "").replace("return x * by", body)
    text += KERNEL.replace("cupy", "numpy") + KERNEL
    project.write(text)

    project.run("--fix")

    assert project.read() == text.replace('["numpy"]', '["numpy", "cupy"]')
    assert project.codes() == []


def test_a_backend_is_listed_in_the_file_that_declares_the_op(project: Project) -> None:
    declared = OP.replace(', unsupported={"cupy": "host only"}', "")
    project.write(declared)
    project.write("from ops import scale\n\n\n" + KERNEL, "kernels.py")

    assert [finding["fix"]["applicability"] for finding in project.findings()] == ["safe"]
    project.run("--fix")

    assert project.read() == declared.replace('["numpy"]', '["numpy", "cupy"]')
    assert project.read("kernels.py") == "from ops import scale\n\n\n" + KERNEL
    assert project.codes() == []


def test_a_backend_is_not_listed_unseen_where_the_program_may_run(project: Project) -> None:
    declared = OP.replace(', unsupported={"cupy": "host only"}', "")
    later = "def complete():\n    scale.kernel('cupy')(lambda x, by: x)\n"
    project.write(declared + later)

    assert [finding["fix"]["applicability"] for finding in project.findings()] == ["unsafe"]
    assert project.fixed(declared + later) == declared.replace('["numpy"]', '["numpy", "cupy"]') + later


@pytest.mark.parametrize("named", ["backends=HOST", "backends=[*HOST]", "**{'backends': HOST}"])
def test_a_list_that_is_not_written_out_is_left_and_the_kernel_too(project: Project, named: str) -> None:
    text = OP.replace('backends=["numpy"], unsupported={"cupy": "host only"}', named).replace(
        "\n\n\n@", '\n\nHOST = ["numpy"]\n\n\n@'
    )
    project.write(text + KERNEL)

    assert [(finding["code"], finding["fix"]) for finding in project.findings()] == [("OPC404", None)]


@pytest.mark.parametrize(
    "fake",
    [
        '@torch.library.register_fake("shop::twice")\ndef _(x):\n    return torch.empty_like(x)\n',
        'torch.library.register_fake("shop::twice", lambda x: torch.empty_like(x))\n',
        'lib.impl("twice", lambda x: torch.empty_like(x), "Meta")\n',
    ],
)
def test_a_redundant_fake_goes(project: Project, fake: str) -> None:
    assert project.fixed(FAKE + fake + AFTER) == FAKE + AFTER.lstrip()
    assert project.codes() == []

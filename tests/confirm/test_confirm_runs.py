"""Findings run in a process of their own: what keeps one from being met, and how the others are."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from tests.confirm.conftest import BOTH, HOLE, IN_A_FUNCTION, Project

from opcheck.symbolic.derived import NEWEST_TORCH

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")


def test_a_missing_package_is_named(project: Project) -> None:
    project.write("import no_such_package\n" + "\n".join(line[4:] for line in HOLE.splitlines()))

    assert project.verdicts(*BOTH) == [
        ("not runnable", "it ended before, with ModuleNotFoundError: No module named 'no_such_package'")
    ]


def test_a_project_that_does_not_end_is_stopped(project: Project) -> None:
    project.write(HOLE + "\n    while True: pass\n")

    assert project.verdicts(*BOTH, "--timeout", "1") == [("not runnable", "it took longer than 1 s")]


def test_an_op_that_no_name_leads_to_is_not_run(project: Project) -> None:
    project.write(IN_A_FUNCTION)

    ((verdict, reason),) = project.verdicts(*BOTH)

    assert verdict == "not runnable"
    assert "is declared in a function, and has no name to import it by" in reason


def test_a_target_that_is_not_this_machine_is_not_guessed_at(project: Project) -> None:
    project.write(
        """\
        import os, sys
        from opcheck_runtime import FloatArray, op

        if sys.platform == "win32" and os.sep == "/":
            @op(backends=["numpy"])
            def scale(x: FloatArray) -> FloatArray:
                return x
        """
    )

    assert project.verdicts(*BOTH, "--assume", 'sys.platform="win32"', "--assume", 'os.sep="/"') == [
        ("not runnable", "`sys.platform == 'win32'` is false here, and true under target `cli`")
    ]


def test_a_doubt_is_settled_by_this_machine(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write(
        """\
        import numpy
        from opcheck_runtime import FloatArray, op

        @op(backends=["numpy", "cupy"])
        def scale(x: FloatArray) -> FloatArray: ...

        if hasattr(numpy, "no_such_name"):
            @scale.kernel("cupy")
            def _(x):
                return x

        @scale.kernel("numpy")
        def _(x):
            return x
        """
    )

    ((verdict, reason),) = project.verdicts(*BOTH)

    assert (verdict, reason.partition(":")[0]) == ("confirmed", "raised BackendNotSupportedError")


def test_one_fault_at_import_does_not_hide_the_next(project: Project) -> None:
    project.write(
        """\
        from opcheck_runtime import FloatArray, op

        @op(backends=["numpy"])
        def scale(x: FloatArray) -> FloatArray:
            return x

        if True:
            @scale.kernel("numpi")
            def _(x):
                return x

        @scale.kernel(
            "numpie"
        )
        def _(x):
            return x
        """
    )

    found = project.verdicts("--backend", "numpy")

    assert [verdict for verdict, _ in found] == ["confirmed", "confirmed"]
    assert all("DeclarationError" in reason for _, reason in found)


def test_features_of_the_target_are_on(project: Project) -> None:
    project.write(
        """\
        from opcheck_runtime import FloatArray, gated, op

        @op(backends=["numpy", gated("cupy", feature="gpu")])
        def scale(x: FloatArray) -> FloatArray: ...

        @scale.kernel("numpy")
        def _(x):
            return x
        """
    )

    ((verdict, reason),) = project.verdicts(*BOTH, "--feature", "gpu")

    assert verdict == "confirmed"
    assert "`cupy` is listed without a kernel" in reason


def test_a_main_module_is_not_run_where_another_reaches_the_op(project: Project) -> None:
    project.write("", "pkg/__init__.py")
    project.write("from pkg.ops import scale\n", "pkg/api.py")
    project.write("import pkg.ops\nraise SystemExit('as a program')\n", "pkg/__main__.py")
    project.write(HOLE, "pkg/ops.py")

    assert [verdict for verdict, _ in project.verdicts(*BOTH)] == ["confirmed"]


@pytest.mark.parametrize("name", ["my-ops.py", "class.py", "pkg/__init__.py"])
def test_a_file_is_imported_whatever_its_name(project: Project, name: str) -> None:
    project.write(HOLE, name)

    assert [verdict for verdict, _ in project.verdicts(*BOTH)] == ["confirmed"]


@needs_torch
@pytest.mark.parametrize("op", ["ns::op", "ns::op.out", "class::op"])
def test_an_op_is_called_whatever_its_name(project: Project, op: str) -> None:
    project.write(f"""\
        import torch
        torch.library.define("{op}", "(Tensor x) -> Tensor")
        """)

    assert [verdict for verdict, _ in project.verdicts("--backend", "cpu")] == ["confirmed"]


@needs_torch
def test_a_registration_in_a_function_is_met_by_calling_it(project: Project) -> None:
    project.write(
        """\
        import torch
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        torch.library.impl("ns::op", "cpu", lambda x: x)

        def complete():
            torch.library.register_fake("ns::other", lambda x: x)

        def complete_one(name):
            torch.library.register_autograd("ns::another", lambda ctx, grad: grad)
        """
    )

    found = dict(project.verdicts("--backend", "cpu", "--select", "OPC402"))

    assert set(found) == {"confirmed", "not runnable"}
    assert "missing a required argument: 'name'" in found["not runnable"]


@needs_torch
@pytest.mark.parametrize(("known", "verdict"), [(NEWEST_TORCH, "refuted"), ("2.1", "not runnable")])
def test_a_torch_of_another_version_refutes_nothing(
    project: Project, monkeypatch: pytest.MonkeyPatch, known: str, verdict: str
) -> None:
    monkeypatch.setattr("opcheck.confirm.here.NEWEST_TORCH", known)
    project.write(
        """\
        import torch
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        exec("torch.library.impl('ns::op', 'cpu', lambda x: x.clone())")
        """
    )

    ((found, reason),) = project.verdicts("--backend", "cpu")

    assert found == verdict
    assert reason.startswith("nothing was raised")

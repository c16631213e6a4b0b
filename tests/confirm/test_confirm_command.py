"""`opcheck confirm`: the verdicts, the scripts, the exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.confirm.conftest import Project

from opcheck.symbolic.derived import NEWEST_TORCH

HOLE = """\
    from opcheck_runtime import FloatArray, op

    @op(backends=["numpy"])
    def scale(x: FloatArray, by: float) -> FloatArray:
        return x * by
    """
IN_A_FUNCTION = """\
    from opcheck_runtime import FloatArray, op

    def make():
        @op(backends=["numpy"])
        def scale(x: FloatArray) -> FloatArray:
            return x

    make()
    """
# What `exec` does nothing that reads the code can know.
HIDDEN_KERNEL = """\
    from opcheck_runtime import FloatArray, op

    @op(backends=["numpy", "cupy"])
    def scale(x: FloatArray) -> FloatArray: ...

    exec("scale.kernel('cupy')(lambda x: x)")

    @scale.kernel("numpy")
    def _(x):
        return x
    """
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
BOTH = ("--backend", "numpy", "--backend", "cupy")


def test_a_finding_that_comes_about_is_confirmed_with_what_was_raised(project: Project) -> None:
    project.write(HOLE)

    result = project.run("confirm", *BOTH)

    assert result.exit_code == 0
    verdict, raised = result.stdout.splitlines()
    assert verdict.startswith("confirmed     OPC101 ops.py:3: `ops.scale` has no kernel for backend `cupy`")
    assert raised.strip().startswith("raised BackendNotSupportedError: Backend not supported for custom op `scale`")
    assert result.stderr.endswith("Ran 1 finding: 1 confirmed, 0 refuted, 0 not runnable.\n")


def test_a_finding_that_does_not_come_about_is_a_defect_of_opcheck(project: Project) -> None:
    project.write(HIDDEN_KERNEL)

    result = project.run("confirm", *BOTH)

    assert result.exit_code == 3
    assert result.stdout.startswith("refuted       OPC103")
    assert "a defect of opcheck" in result.stderr


def test_the_document_holds_each_finding_as_check_reports_it(project: Project) -> None:
    project.write(HOLE)

    checked = json.loads(project.run("check", *BOTH, "--format", "json").stdout)
    document = json.loads(project.run("confirm", *BOTH, "--format", "json").stdout)

    assert document["schema_version"] == 1
    assert document["summary"] == {"confirmed": 1, "refuted": 0, "not runnable": 0}
    assert [c["finding"] for c in document["confirmations"]] == checked["findings"]
    assert document["confirmations"][0]["script"] is None


def test_a_script_raises_the_predicted_error_when_it_is_run_by_hand(project: Project, tmp_path: Path) -> None:
    project.write(HOLE)

    (found,) = project.confirmations(*BOTH, "--script", "scripts")
    ended = subprocess.run([sys.executable, found["script"]], check=False, capture_output=True, text=True, cwd=tmp_path)

    assert found["script"] == "scripts/OPC101-ops-scale-cupy-forward-line3.py"
    assert ended.returncode == 1
    assert "BackendNotSupportedError: Backend not supported for custom op `scale`" in ended.stderr
    text = Path(found["script"]).read_text()
    assert text.startswith("# OPC101 backend-not-supported: `ops.scale` has no kernel for backend `cupy`")
    assert "# Found at ops.py:3. To be raised: BackendNotSupportedError" in text


def test_the_text_says_how_to_run_each_script(project: Project) -> None:
    project.write(HOLE)

    result = project.run("confirm", *BOTH, "--script", "scripts")

    assert result.stdout.rstrip().endswith("python scripts/OPC101-ops-scale-cupy-forward-line3.py")
    assert json.loads(project.run("check", *BOTH, "--format", "json").stdout)["files"]["read"] == 1


def test_what_cannot_be_run_has_no_script(project: Project) -> None:
    project.write(IN_A_FUNCTION)

    (found,) = project.confirmations(*BOTH, "--script", "scripts")

    assert found["script"] is None


def test_an_assumed_target_is_named_first(project: Project) -> None:
    project.write(HOLE)

    assert project.run("confirm").stderr.startswith("No target is configured: assuming `inferred-native` (numpy).")


def test_a_folder_that_is_there_is_left_as_it_is(project: Project) -> None:
    project.write(HOLE)
    project.write("", "scripts/mine.txt")

    project.run("confirm", *BOTH, "--script", "scripts")

    assert {path.name for path in Path("scripts").iterdir()} == {
        "mine.txt",
        "OPC101-ops-scale-cupy-forward-line3.py",
    }


def test_a_folder_for_scripts_that_cannot_be_made_is_an_error(project: Project) -> None:
    project.write(HOLE)
    project.write("", "taken/file.txt")

    result = project.run("confirm", *BOTH, "--script", "taken/file.txt/scripts")

    assert result.exit_code == 2
    assert "cannot write to `taken/file.txt/scripts`" in result.stderr


def test_a_python_that_is_none_is_an_error(project: Project) -> None:
    project.write(HOLE)

    result = project.run("confirm", *BOTH, "--python", "no/such/python")

    assert result.exit_code == 2
    assert "cannot run `no/such/python`" in result.stderr


def test_the_help_says_that_code_is_executed(project: Project) -> None:
    assert "THIS EXECUTES THE PROJECT'S CODE" in project.run("confirm", "--help").stdout


def test_nothing_is_run_where_nothing_is_found(project: Project) -> None:
    project.write("open('trace', 'w')\n")

    assert project.verdicts(*BOTH) == []
    assert not Path("trace").exists()


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

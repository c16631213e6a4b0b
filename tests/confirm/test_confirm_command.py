"""`opcheck confirm`: what it says, the scripts it writes, the exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.confirm.conftest import BOTH, HOLE, IN_A_FUNCTION, Project

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

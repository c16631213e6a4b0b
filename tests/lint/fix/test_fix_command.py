"""`opcheck check --fix`: what it does, says and refuses, and how it exits."""

from __future__ import annotations

import pytest
from tests.lint.fix.conftest import CONFIG, Project

HEAD = "from opcheck_runtime import FloatArray, op\n"
HOLE = """

@op(backends=["numpy"])
def {name}(x: FloatArray, by: float) -> FloatArray:
    return x * by
"""
RAISING = HOLE.replace("return x * by", "raise NotImplementedError")
MISSPELT = HOLE.replace('"numpy"', '"numpy", "cuppy"')


@pytest.mark.smoke
def test_what_is_safe_is_fixed_and_the_rest_reported(project: Project) -> None:
    project.write(HEAD + MISSPELT.format(name="scale") + HOLE.format(name="shift"))

    result = project.run("--fix", "--format", "concise")

    assert project.read() == HEAD + MISSPELT.format(name="scale").replace("cuppy", "cupy") + HOLE.format(name="shift")
    assert result.exit_code == 1
    assert result.stdout.count("\n") == 1
    assert "OPC101" in result.stdout
    assert result.stderr == (
        "Fixed 1 finding in 1 file.\nRead 1 file; checked 2 ops under `serve`: 1 error, 0 warnings.\n"
    )


def test_what_is_unsafe_is_fixed_where_that_is_asked_for(project: Project) -> None:
    project.write(HEAD + MISSPELT.format(name="scale") + HOLE.format(name="shift"))

    result = project.run("--fix", "--unsafe-fixes")

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("Fixed 2 findings in 1 file.\n")


def test_only_what_was_chosen_is_fixed(project: Project) -> None:
    project.write(HEAD + MISSPELT.format(name="scale") + HOLE.format(name="shift"))

    project.run("--fix", "--unsafe-fixes", "--select", "OPC101")

    assert '"cuppy"' in project.read()
    assert project.read().count('["numpy", "cupy"]') == 1


def test_a_diff_writes_nothing_and_exits_as_a_check_does(project: Project) -> None:
    text = HEAD + MISSPELT.format(name="scale")
    project.write(text)

    result = project.run("--diff")

    assert project.read() == text
    assert result.exit_code == 1
    assert result.stdout == (
        "--- a/ops.py\n+++ b/ops.py\n@@ -1,6 +1,6 @@\n from opcheck_runtime import FloatArray, op\n \n \n"
        '-@op(backends=["numpy", "cuppy"])\n+@op(backends=["numpy", "cupy"])\n'
        " def scale(x: FloatArray, by: float) -> FloatArray:\n     return x * by\n"
    )
    assert "Would fix 1 finding in 1 file.\n" in result.stderr


def test_a_diff_of_nothing_is_empty(project: Project) -> None:
    project.write(HEAD + HOLE.format(name="scale"))

    result = project.run("--diff", "--fix")

    assert (result.exit_code, result.stdout) == (1, "")


def test_unsafe_fixes_alone_would_do_nothing(project: Project) -> None:
    result = project.run("--unsafe-fixes")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "error: --unsafe-fixes needs --fix, which makes the fixes, or --diff, which shows them" in result.stderr


def test_fixes_of_one_op_wait_for_each_other(project: Project) -> None:
    """Each is tried with what was done before: a derivative can only be begun where the list was extended."""
    project.write(CONFIG + "autodiff = true\n", "pyproject.toml")
    ops = [HOLE.format(name=f"f{n}") for n in range(3)]

    fixed = project.fixed(HEAD + "".join(ops))

    assert fixed.count('backends=["numpy", "cupy"], autodiff=True') == 3
    assert fixed.count(".vjp\n") == 3
    assert project.codes() == []


def test_a_fix_that_is_refused_spoils_no_other(project: Project) -> None:
    ops = [(RAISING if n % 3 else HOLE).format(name=f"f{n}") for n in range(7)]
    project.write(HEAD + "".join(ops))

    result = project.run("--fix", "--unsafe-fixes")

    assert project.read().count('["numpy", "cupy"]') == 3
    assert result.stderr.startswith("not fixed: OPC101 at ops.py:9, as OPC104 would be left\n")
    assert result.stderr.count("as OPC104 would be left\n") == 4
    assert "Fixed 3 findings in 1 file.\n" in result.stderr


def test_fixes_in_one_comment_are_made_one_after_the_other(project: Project) -> None:
    comment = "  # opcheck: ignore[OPC101, OPC102, OPC103] has to wait"
    text = HEAD + HOLE.format(name="scale").replace('["numpy"])', f'["numpy", "cupy"]){comment}')
    project.write(text)

    result = project.run("--fix")

    assert project.read() == text.replace(comment, "")
    assert "Fixed 3 findings in 1 file.\n" in result.stderr


def test_every_project_is_fixed(project: Project) -> None:
    for name in ("one", "two"):
        project.write(CONFIG, f"{name}/pyproject.toml")
        project.write(HEAD + MISSPELT.format(name="scale"), f"{name}/ops.py")

    result = project.run("--fix", "one", "two")

    assert result.stderr.startswith("Fixed 2 findings in 2 files.\n")


def test_an_ad_hoc_target_is_what_is_fixed_for(project: Project) -> None:
    project.write(CONFIG.replace('"numpy", "cupy", ', '"numpy", '), "pyproject.toml")
    project.write(HEAD + HOLE.format(name="scale"))

    project.run("--fix", "--unsafe-fixes", "--backend", "cupy")

    assert '["numpy", "cupy"]' in project.read()


def test_a_baseline_keeps_what_it_passes(project: Project) -> None:
    project.write(HEAD + HOLE.format(name="scale"))
    entry = 'rule = "OPC101", op = "ops.scale", backend = "cupy", target = "serve"'
    project.write(f"entries = [{{ {entry} }}]\n", "opcheck-baseline.toml")

    result = project.run("--fix", "--unsafe-fixes")

    assert project.read() == HEAD + HOLE.format(name="scale")
    assert (result.exit_code, result.stdout) == (0, "")

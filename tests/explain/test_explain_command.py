"""`opcheck explain RULE OP`: what is registered, how each condition was decided, and what would change the answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from opcheck.cli import main
from opcheck_rules import ALL_RULES

NATIVE = """\
import sys

from opcheck_runtime import FloatArray, enable_features, gated, op

try:
    import cucim
except ImportError:
    cucim = None

if sys.platform == "darwin":
    enable_features("fft")


@op(backends=["numpy", "cupy"], autodiff=gated(feature="learned"))
def blur(x: FloatArray) -> FloatArray:
    ...


@blur.kernel("numpy")
def _(x):
    return x


if cucim is not None:
    @blur.kernel("cupy")
    def _(x):
        return cucim.blur(x)


@op(backends=["numpy", gated("cupy", feature="fft")])
def high_pass(x: FloatArray) -> FloatArray:
    return x


@op(backends=["cupy"])
def median(x: FloatArray) -> FloatArray:
    ...


@median.kernel("cupy")
def _(x):
    raise NotImplementedError("no GPU kernel yet")


def run(x):
    return blur(high_pass(x))
"""
TORCH = """\
import os

import torch

if torch.cuda.is_available():
    @torch.library.custom_op("mylib::rope", mutates_args=(), device_types="cpu")
    def rope(x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    @rope.register_kernel("cuda")
    def _(x):
        return x.clone()

    @rope.register_kernel("xpu")
    def _(x):
        return x.clone()

torch.library.register_kernel("mylib::typo", "cuda", lambda x: x)
"""
CONFIG = """\
[project]
name = "demo"
dependencies = ["numpy"]

[project.optional-dependencies]
gpu = ["cupy-cuda12x"]

[tool.opcheck.targets.laptop]
backends = ["numpy"]

[tool.opcheck.targets.serve]
backends = ["cupy"]
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text(CONFIG)
    Path("ops.py").write_text(NATIVE)
    Path("rope.py").write_text(TORCH)
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["explain", *arguments], catch_exceptions=False)


def _text(*arguments: str) -> str:
    result = _run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def _json(*arguments: str) -> Any:
    return json.loads(_text(*arguments, "--format", "json"))["explanations"][0]


@pytest.mark.smoke
def test_an_open_guard_is_named_with_the_line_that_settles_it() -> None:
    assert (
        _text("OPC102", "blur", "--target", "serve")
        == """\
OPC102 backend-gated-off of `ops.blur`, defined at ops.py:15

What was written:
  define         ops.py:15  always
  listing cupy   ops.py:14  always
  kernel cupy    ops.py:25  if installed:cucim
  gate autodiff  ops.py:14  always; feature `learned`

Under target `serve` (cupy):
  may be there: kernel cupy ops.py:25
  cupy forward: conditional
    may be covered: kernel registered at ops.py:26, if installed:cucim; settle it with
      `"installed:cucim" = true` in `assume`
    may be hole: no kernel, if not installed:cucim; settle it with `"installed:cucim" = false` in
      `assume`
  decided by:
    installed:cucim  open  nothing says
  found: warning: `ops.blur` has its kernel for backend `cupy` behind a guard that may fail under
    target `serve`
  to change it: if the guard holds there, say so: `"installed:cucim" = true` under
    [tool.opcheck.targets.serve.assume]
"""
    )


def test_a_feature_is_what_would_cover_the_cell_behind_it() -> None:
    text = _text("backend-gated-off", "ops.high_pass", "--target", "serve")

    assert (
        "    would be covered: the op's own body, with `fft` in `features`\n    is hole: feature `fft` is off\n" in text
    )
    assert "    feature:fft               no  not among `features`\n" in text
    assert "  not there: enabling fft ops.py:11\n" in text
    assert "    sys.platform == 'darwin'  no  follows from `backends`\n" in text


def test_a_cell_with_one_outcome_is_said_in_a_line() -> None:
    text = _text("OPC104", "median", "--target", "serve")

    assert "  cupy forward: covered: kernel registered at ops.py:41, which only raises NotImplementedError\n" in text
    assert "  found: error: `ops.median` has a kernel that only raises" in text
    assert "decided by" not in text


def test_a_rule_that_finds_nothing_says_so_and_what_else_is_found() -> None:
    assert "  OPC101 is not found here; OPC102 is\n" in _text("OPC101", "high_pass", "--target", "serve")
    assert _text("OPC101", "high_pass", "--target", "laptop").endswith("  OPC101 is not found here\n")


def test_derivatives_are_explained_by_their_own_cells_and_calls() -> None:
    told = _json("OPC202", "blur", "--backend", "numpy")
    (machine,) = told["targets"]

    assert [(cell["context"], cell["status"], cell["asked"]) for cell in machine["cells"]] == [
        ("autodiff", "hole", False)
    ]
    assert _json("OPC101", "blur")["targets"][0]["cells"][0]["possibilities"][0] == {
        "status": "covered",
        "reason": "kernel registered at ops.py:20",
        "condition": "always",
        "holds": True,
        "open": None,
        "levers": [],
    }
    assert [piece["kind"] for piece in told["pieces"]] == ["define", "listing", "kernel", "gate", "call"]
    assert told["pieces"][-1]["detail"] == "it can be tracked"


def test_an_op_that_is_not_defined_here_says_what_would_define_it() -> None:
    text = _text("OPC101", "mylib::rope", "--backend", "cpu")

    assert "  the op would be defined, with `cuda` in `backends`\n" in text
    assert "  not there: define rope.py:6\n" in text
    assert "xpu" not in text


def test_every_machine_of_a_target_is_told_of() -> None:
    told = _json("OPC101", "rope", "--backend", "cuda", "--backend", "xpu")

    assert [machine["backends"] for machine in told["targets"]] == [["cuda"], ["xpu"]]
    assert [machine["defined"]["holds"] for machine in told["targets"]] == [True, False]
    assert told["targets"][1]["defined"]["levers"] == ["`cuda` in `backends`"]


def test_what_is_open_and_no_longer_matters_is_not_told() -> None:
    Path("rope.py").write_text("import flags\n" + TORCH.replace("available():", "available() or flags.ODD:"))

    told = {name: _json("OPC101", "rope", "--backend", name)["targets"][0]["facts"] for name in ("cuda", "cpu")}
    assert [fact["fact"] for fact in told["cuda"]] == ["torch.cuda.is_available()"]
    assert [fact["holds"] for fact in told["cpu"]] == [False, None]


def test_a_name_that_nothing_declares_is_explained_by_what_is_registered_for_it() -> None:
    text = _text("OPC402", "mylib::typo", "--backend", "cuda")

    assert text.startswith("OPC402 unknown-op of `mylib::typo`, which nothing that was read defines\n")
    assert "  kernel CUDA  rope.py:18  always\n" in text


def test_a_target_without_a_backend_of_the_framework_says_so() -> None:
    assert "  it lists no backend of the op's framework, native\n" in _text("OPC101", "blur", "--backend", "cuda")


def test_an_op_that_was_read_only_in_part_shows_the_part() -> None:
    Path("part.py").write_text(
        "from opcheck_runtime import FloatArray, op\nimport settings\n\n\n"
        "@op(backends=settings.BACKENDS)\ndef sort(x: FloatArray) -> FloatArray:\n    return x\n\n\n"
        "@op(backends=settings.OTHERS)\ndef rank(x: FloatArray) -> FloatArray:\n    return x\n"
    )
    text = _text("OPC407", "sort", "--target", "serve")

    assert "  not read backends  part.py:5  always; settings.BACKENDS\n" in text
    assert "unknown" in text
    assert "OTHERS" not in text


def test_evident_arguments_of_a_call_are_told() -> None:
    Path("use.py").write_text("import numpy as np\n\nfrom ops import median\n\nmedian(np.ones(3))\n")

    assert "always; its inputs lie on `numpy`" in _text("OPC501", "median")


def test_an_unknown_op_is_an_error_with_the_nearest_name() -> None:
    for name, help in (("bluur", "ops.blur"), ("mylib::rop", "mylib::rope")):
        result = _run("OPC101", name)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"error: unknown op `{name}`\n  = help: did you mean `{help}`?\n"
    assert "`opcheck table` lists those that are read" in _run("OPC101", "quicksort").stderr


def test_without_targets_the_assumed_ones_are_named() -> None:
    Path("pyproject.toml").unlink()
    result = _run("OPC102", "high_pass")

    assert result.stderr.startswith("No target is configured: assuming `inferred-native` (numpy, cupy).\n")
    assert "feature:fft               yes  every feature is on under an inferred target" in result.stdout


def test_a_name_of_several_ops_has_to_be_told_apart() -> None:
    Path("more.py").write_text(NATIVE)

    assert "`blur` may be any of `more.blur`, `ops.blur`" in _run("OPC101", "blur").stderr


def test_a_rule_about_files_has_nothing_to_say_of_an_op() -> None:
    assert _run("OPC001", "blur").stderr.startswith("error: OPC001 is about files, not about ops\n")


def test_target_options_need_an_op() -> None:
    result = _run("OPC101", "--backend", "cuda")

    assert result.exit_code == 2
    assert "the target options are about an op" in result.stderr
    assert _run("OPC101", "--no-cache").exit_code == 0


def test_a_rule_is_documented_for_programs() -> None:
    rule = json.loads(_text("OPC101", "--format", "json"))["rule"]

    assert (rule["code"], rule["name"]) == ("OPC101", "backend-not-supported")
    assert "## Use instead" in rule["documentation"]


def test_on_a_terminal_the_text_is_as_wide_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setattr("opcheck.cli.explain.width_of", lambda stream: 50)

    assert max(map(len, _text("OPC102", "blur").splitlines())) <= 50


def test_every_rule_about_ops_explains_every_op() -> None:
    """Whatever rule is asked about whatever op, there is an answer, in both forms."""
    for rule in ALL_RULES[1:]:
        for name in ("ops.blur", "mylib::rope", "mylib::typo"):
            assert f"{rule.code} {rule.name} of `{name}`" in _text(rule.code, name, "--target", "serve")
            assert _json(rule.code, name, "--backend", "cuda")["code"] == rule.code

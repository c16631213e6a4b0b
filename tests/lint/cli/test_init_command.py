"""`opcheck init`: a first configuration that holds what is declared, and never takes the place of another."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from opcheck.cli import main

NATIVE = """\
from opcheck_runtime import FloatArray, gated, op

try:
    import cucim
except ImportError:
    cucim = None


@op(backends=["numpy", "cupy"], autodiff=True)
def blur(x: FloatArray) -> FloatArray:
    ...


@blur.kernel("numpy")
def _(x):
    return x


@blur.vjp
def _(grad, out, x):
    return grad


if cucim is not None:
    @blur.kernel("cupy")
    def _(x):
        return x


@op(backends=["numpy", gated("cupy", feature="fft")])
def high_pass(x: FloatArray) -> FloatArray:
    return x


@op(backends=["numpy"])
def rank(x: FloatArray) -> FloatArray:
    return x
"""
METADATA = """\
[project]
name = "demo"
dependencies = ["numpy"]

[project.optional-dependencies]
gpu = ["cupy-cuda12x", "torch"]
fast = ["triton"]
"""
TABLE = """\

# The machines that the ops of this project must run on, a target each: drafted from what is declared.
# Take out what you do not support, and put the backends that one machine has into one target.
[tool.opcheck]

[tool.opcheck.targets.numpy]
# 3 of 3 ops have a kernel for it.
backends = ["numpy"]
# autodiff = true  # ask every op for a derivative, as 1 of 3 have

[tool.opcheck.targets.cupy]
# 2 of 3 ops have a kernel for it.
backends = ["cupy"]
extras = ["gpu"]
features = ["fft"]
# autodiff = true  # ask every op for a derivative, as 1 of 3 have

# [tool.opcheck.targets.cupy.assume]  # guards that nothing decides
# "installed:cucim" = true  # 1 of 3 ops hang on it
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("ops.py").write_text(NATIVE)
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["init", *arguments], catch_exceptions=False)


def _targets(text: str) -> dict[str, Any]:
    targets: dict[str, Any] = tomllib.loads(text)["targets"]
    return targets


@pytest.mark.smoke
def test_a_table_is_added_to_the_metadata() -> None:
    Path("pyproject.toml").write_text(METADATA)
    result = _run()

    assert (result.exit_code, result.stdout) == (0, "")
    assert Path("pyproject.toml").read_text() == METADATA + TABLE
    assert result.stderr == (
        "Wrote 2 targets to pyproject.toml, assuming:\n"
        "- `numpy`: a machine where 3 of 3 ops have a kernel\n"
        "- `cupy`: a machine where 2 of 3 ops have a kernel, with the extras gpu, which bring what its kernels ask "
        "for, with the features fft, which gate kernels for it, and nothing about 1 guard, which the file lists\n"
    )
    checked = CliRunner().invoke(main, ["check"])
    assert "under `numpy`, `cupy`: 1 error, 1 warning" in checked.stderr


def test_every_line_that_it_leaves_out_can_be_taken_in() -> None:
    Path("pyproject.toml").write_text(METADATA)
    _run()
    text = Path("pyproject.toml").read_text()
    Path("pyproject.toml").write_text(
        "".join(line.removeprefix("# ") if " = " in line or "# [" in line else line for line in text.splitlines(True))
    )
    checked = CliRunner().invoke(main, ["check"], catch_exceptions=False)

    assert "OPC102" not in checked.stdout
    assert "`ops.high_pass` has no derivative, which target `numpy` asks for" in checked.stdout


def test_without_metadata_it_has_a_file_of_its_own() -> None:
    _run()
    targets = _targets(Path("opcheck.toml").read_text())

    assert targets == {"numpy": {"backends": ["numpy"]}, "cupy": {"backends": ["cupy"], "features": ["fft"]}}
    assert not Path("pyproject.toml").exists()
    assert "under `numpy`, `cupy`:" in CliRunner().invoke(main, ["check"]).stderr


def test_a_dry_run_prints_and_writes_nothing() -> None:
    Path("pyproject.toml").write_text(METADATA)
    result = _run("--dry-run")

    assert result.stdout == TABLE
    assert result.stderr.startswith("Would write 2 targets to pyproject.toml, assuming:\n")
    assert Path("pyproject.toml").read_text() == METADATA


def test_what_configures_opcheck_already_stays() -> None:
    for name, text in (("opcheck.toml", ""), ("pyproject.toml", "[tool.opcheck]\n")):
        Path(name).write_text(text)
        result = _run()
        assert result.exit_code == 2
        assert f"`{name}` configures opcheck already" in result.stderr
        assert Path(name).read_text() == text
        Path(name).unlink()


@pytest.mark.parametrize(
    ("before", "gap"),
    [("", ""), ("[project]", "\n\n"), ("[project]\r\n", "\r\n"), ("# é\n[tool.other]\n", "\n")],
)
def test_the_metadata_keeps_its_text_and_line_endings(before: str, gap: str) -> None:
    Path("pyproject.toml").write_bytes(before.encode())
    _run()
    after = Path("pyproject.toml").read_bytes().decode()

    assert after.startswith(before + gap + "# The machines")
    assert after.replace("\r\n", "").count("\n") == (0 if "\r\n" in before else after.count("\n"))


def test_metadata_that_can_take_no_table_is_left_alone() -> None:
    Path("pyproject.toml").write_text("tool = { other = 1 }\n")
    _run()

    assert Path("pyproject.toml").read_text() == "tool = { other = 1 }\n"
    assert Path("opcheck.toml").exists()


def test_fakes_and_guards_of_torch_ops() -> None:
    Path("ops.py").write_text(
        "import torch\nimport flags\n\n@torch.library.custom_op('ns::f', mutates_args=(), device_types='cpu')\n"
        "def f(x: torch.Tensor) -> torch.Tensor:\n    return x.clone()\n\n@f.register_fake\ndef _(x):\n    return x\n\n"
        "def setup():\n    @f.register_kernel('cuda')\n    def _(x):\n        return x\n\n\n"
        f"if flags.{'VERY_' * 20}LONG:\n    @f.register_kernel('xpu')\n    def _(x):\n        return x\n"
    )
    text = _run("--dry-run").stdout

    assert text.count("# compile = true  # ask every op for a fake kernel, as 1 of 1 have\n") == 3
    assert "assume" not in text
    assert "vmap" not in text


def test_of_guards_that_contradict_each_other_the_one_is_shown_that_more_ops_hang_on() -> None:
    define = "torch.library.define('ns::{0}', '(Tensor x) -> Tensor')\n"
    kernel = "    torch.library.impl('ns::{0}', 'cuda', abs)\n"
    Path("ops.py").write_text(
        "import torch\nimport flags\n"
        + "".join(map(define.format, "abc"))
        + "if flags.FAST:\n"
        + kernel.format("a")
        + "else:\n"
        + kernel.format("b")
        + kernel.format("c")
    )

    text = _run("--dry-run").stdout

    assert '# "flags.FAST" = false  # 2 of 3 ops hang on it\n' in text
    assert '"flags.FAST" = true' not in text


def test_a_feature_that_gates_a_derivative_is_taken_to_be_there() -> None:
    Path("ops.py").write_text(
        "from opcheck_runtime import FloatArray, gated, op\nimport torch\n\n"
        "@op(backends=['numpy'], autodiff=gated(feature='learned'))\ndef f(x: FloatArray): return x\n\n"
        "@torch.library.custom_op('ns::f', mutates_args=(), device_types='cpu')\n"
        "def g(x: torch.Tensor) -> torch.Tensor:\n    return x.clone()\n"
    )

    assert _targets(_run("--dry-run").stdout) == {
        "numpy": {"backends": ["numpy"], "features": ["learned"]},
        "cpu": {"backends": ["cpu"]},
    }


def test_what_cannot_be_read_is_said() -> None:
    Path("broken.py").write_text("def (:\n")

    assert _run().stderr.startswith("warning: broken.py could not be read, and may declare more\n")


def test_there_has_to_be_something_to_configure() -> None:
    Path("ops.py").write_text("")
    Path("file.txt").write_text("")
    assert _run().stderr.startswith("error: no custom ops found: there is nothing to configure\n")
    assert _run("file.txt").stderr.startswith("error: `file.txt` is not a folder\n")
    assert "no such path: `nowhere`" in _run("nowhere").stderr


def test_a_malformed_file_is_an_error_at_its_place() -> None:
    Path("pyproject.toml").write_text("[project\n")

    assert "malformed TOML" in _run().stderr


def test_names_and_guards_that_no_line_can_hold() -> None:
    Path("ops.py").write_text(
        "from opcheck_runtime import FloatArray, gated, op\nimport flags\n\n"
        "@op(backends=['numpy', gated('cupy', feature='a\\n\"\\x7f')])\ndef f(x: FloatArray): return x\n\n"
        "@op(backends=['numpy', gated('cupy', feature='\\ud800')])\ndef g(x: FloatArray): ...\n\n"
        "if flags['\\ud800']:\n    @g.kernel('cupy')\n    def _(x): return x\n"
    )
    result = _run()

    assert result.exit_code == 0
    assert _targets(Path("opcheck.toml").read_text())["cupy"]["features"] == ['a\n"\x7f']
    assert '\n"' not in result.stderr

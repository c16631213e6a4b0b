"""Whatever a file looks like, fixing it leaves Python behind, is done once, and touches nothing else."""

from __future__ import annotations

import ast
import tempfile
from pathlib import Path

from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lint.fix.conftest import CONFIG

from opcheck.cli import main

QUOTES = st.sampled_from(["'", '"'])
NAMES = st.sampled_from(["numpy", "cupy", "cuppy", "nunpy", "fpga"])
GAPS = st.sampled_from(["", " ", "\n        ", "  # \N{GREEK SMALL LETTER ALPHA} kept\n        ", "\n\n  # kept\n\t"])
COMMENTS = st.sampled_from(
    [
        "",
        "  # kept",
        "  # opcheck: ignore[OPC101]",
        "# opcheck: ignore[OPC103, OPC102] why  # kept",
        " # opcheck: ignore",
    ]
)
BODIES = st.sampled_from(["return x * by", "...", '"""Kept."""', "pass; return x  # kept"])
DECLARATIONS = st.sampled_from(["", ", autodiff=True", ",autodiff = False", ', unsupported={"cupy": "kept"}'])
MORE = st.sampled_from(
    [
        "@f{n}.kernel('cupy')\ndef _(x, by): return x\n",
        '# kept or not\n\n# of it\n@f{n}.kernel( "numpy" )\ndef _(x, by):\n  return x\n',
        "@f{n}.kernel('cupy')\n@f{n}.kernel('numpy')\ndef both(x, by):\n\treturn x  # kept\n",
        "if True:\n    f{n}.kernel('cupy')(print)\nelse:\n    print('kept')\n",
        "f{n}.kernel('cupy')(print); print('kept')\n",
        "@f{n}.vjp\ndef _(grad, out, x, by):\n    return grad\n",
        "\x0c\n'''kept:\n@op(backends=[\"numpy\"])\n'''\n",
    ]
)


@st.composite
def lists(draw: st.DrawFn) -> str:
    items = [
        f"{quote}{name}{quote}" for quote, name in draw(st.lists(st.tuples(QUOTES, NAMES), min_size=1, max_size=3))
    ]
    start, end = draw(st.sampled_from([("[", "]"), ("(", ")"), ("{", "}")]))
    text = "".join(f"{draw(GAPS)}{item}{draw(GAPS)}," for item in items)
    return f"{start}{text}{draw(GAPS)}{end}"


@st.composite
def modules(draw: st.DrawFn) -> str:
    parts = ["from opcheck_runtime import FloatArray, op\n"]
    for n in range(draw(st.integers(1, 3))):
        arguments = f"{draw(GAPS)}backends={draw(lists())}{draw(DECLARATIONS)}"
        head = f"@op({arguments}){draw(COMMENTS)}\ndef f{n}(x: FloatArray, by: float) -> FloatArray:\n"
        parts += [draw(COMMENTS).lstrip(), f"\n{head}    {draw(BODIES)}\n", draw(st.sampled_from(["", "\n", "\n\n\n"]))]
        parts += [more.format(n=n) for more in draw(st.lists(MORE, max_size=2))]
    text = "".join(parts)
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))) if draw(st.booleans()) else text.rstrip()


def fix(folder: Path) -> str:
    arguments = ["check", "--no-cache", "--fix", "--unsafe-fixes", "--exit-zero", str(folder)]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return (folder / "ops.py").read_bytes().decode()


@settings(max_examples=30, deadline=None)
@given(modules(), st.sampled_from(["", "autodiff = true\n"]))
def test_a_fixed_file_is_python_and_fixed_for_good(text: str, training: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "pyproject.toml").write_text(CONFIG + training)
        (folder / "ops.py").write_bytes(text.encode())
        once = fix(folder)
        twice = fix(folder)

    ast.parse(once)
    assert twice == once
    assert once.count("kept") >= text.count("kept") - text.count("# kept or not")
    assert ("\r\n" in once) == ("\r\n" in text)
    assert "\n" not in once.replace("\r\n", "") or "\r\n" not in once

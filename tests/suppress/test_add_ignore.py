"""`opcheck check --add-ignore REASON`: comments where findings are, in files that are otherwise as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from opcheck.cli import main

CONFIG = '[tool.opcheck.targets.serve]\nbackends = ["cupy"]\n'
OP = "from opcheck_runtime import FloatArray, op\n\n{declared}\ndef scale(x: FloatArray) -> FloatArray:\n    return x\n"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text(CONFIG)


def _run(*arguments: str, reason: str = "CuPy has to wait") -> Result:
    return CliRunner().invoke(main, ["check", "--add-ignore", reason, *arguments], catch_exceptions=False)


def _declared(declared: str, **to_bytes: str) -> str:
    """An op so declared, ignored, and read again as its lines without those around."""
    encoding, newline = to_bytes.get("encoding", "utf-8"), to_bytes.get("newline", "\n")
    before = OP.format(declared=declared).replace("\n", newline)
    Path("ops.py").write_bytes(before.encode(encoding))
    _run()
    after = Path("ops.py").read_bytes().decode(encoding)
    head, tail = OP.replace("\n", newline).split("{declared}")
    assert after.startswith(head)
    assert after.endswith(tail)
    return after[len(head) : -len(tail)]


@pytest.mark.smoke
def test_every_finding_is_ignored_where_it_is_reported() -> None:
    Path("ops.py").write_text(OP.format(declared='@op(backends=["numpy"])'))
    result = _run()

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("Ignored 1 finding by comments in 1 file.\n")
    assert '@op(backends=["numpy"])  # opcheck: ignore[OPC101] CuPy has to wait\n' in Path("ops.py").read_text()
    assert CliRunner().invoke(main, ["check", "--fail-on", "warning"]).exit_code == 0
    assert _run().stderr.startswith("Ignored 0 findings by comments in 0 files.\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@op(backends=['numpy']) \t", "@op(backends=['numpy'])  # opcheck: ignore[OPC101] CuPy has to wait"),
        (
            "@op(backends=['numpy'])  # noqa: X1",
            "@op(backends=['numpy'])  # noqa: X1  # opcheck: ignore[OPC101] CuPy has to wait",
        ),
        (
            "@op(backends=['numpy'])  # opcheck: ignore[OPC102] other",
            "@op(backends=['numpy'])  # opcheck: ignore[OPC102, OPC101] other",
        ),
        ("@op(backends=['numpy'])  # opcheck: ignore[]", "@op(backends=['numpy'])  # opcheck: ignore[OPC101]"),
        (
            "@op(backends=[  # those\n    'numpy'])",
            "@op(backends=[  # those  # opcheck: ignore[OPC101] CuPy has to wait\n    'numpy'])",
        ),
        (
            "@op(backends=[ \\\n    'numpy'])",
            "@op(backends=[ \\\n    'numpy'])  # opcheck: ignore[OPC101] CuPy has to wait",
        ),
        (
            "@op(backends=['numpy', '''\n'''.strip()])",
            "@op(backends=['numpy', '''\n'''.strip()])  # opcheck: ignore[OPC101, OPC401] CuPy has to wait",
        ),
    ],
)
def test_a_comment_goes_where_it_is_one(before: str, after: str) -> None:
    assert _declared(before) == after


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_endings_stay(newline: str) -> None:
    assert _declared("@op(backends=['numpy'])", newline=newline).endswith("CuPy has to wait")


def test_the_encoding_stays() -> None:
    assert _declared("# é\n@op(backends=['numpy'])", encoding="utf-8-sig").endswith("CuPy has to wait")
    Path("ops.py").write_bytes(
        ("# coding: latin-1\n# é\n" + OP.format(declared="@op(backends=['numpy'])")).encode("latin-1")
    )
    assert _run(reason="später").stderr.startswith("Ignored 1 finding by")
    assert "# é\n" in Path("ops.py").read_bytes().decode("latin-1")


def test_a_reason_that_a_file_cannot_hold_leaves_it_as_it_is() -> None:
    before = ("# coding: latin-1\n" + OP.format(declared="@op(backends=['numpy'])")).encode()
    Path("ops.py").write_bytes(before)
    result = _run(reason="→ later")

    assert result.exit_code == 1
    assert result.stderr.startswith(
        "Ignored 0 findings by comments in 0 files; 1 finding no comment can be written for."
    )
    assert Path("ops.py").read_bytes() == before


def test_a_file_without_a_line_end_at_its_end() -> None:
    Path("ops.py").write_text("import torch\ntorch.library.impl('math::f', 'cpu', lambda x: x)")
    _run()

    assert Path("ops.py").read_text().endswith("lambda x: x)  # opcheck: ignore[OPC402] CuPy has to wait")


def test_sources_in_cpp_have_their_own_comments() -> None:
    Path("pyproject.toml").write_text('[tool.opcheck.targets.serve]\nbackends = ["cpu", "cuda"]\n')
    Path("ops.py").write_text("import torch\ntorch.ops.load_library('ops.so')\n")
    Path("ops.so").write_text("")
    Path("ops.cpp").write_text(
        '#include <torch/library.h>\nTORCH_LIBRARY(ns, m) {\n  m.def("f(Tensor x) -> Tensor");\n}\n'
        'TORCH_LIBRARY_IMPL(ns, CPU, m) {\n  m.impl("f", f);\n}\n'
    )
    _run()

    assert '-> Tensor");  // opcheck: ignore[OPC101] CuPy has to wait\n' in Path("ops.cpp").read_text()


def test_two_rules_on_a_line_share_a_comment() -> None:
    Path("ops.py").write_text(OP.format(declared='@op(backends=["numpy"])'))
    Path("pyproject.toml").write_text(CONFIG + "autodiff = true\n")
    _run()

    assert Path("ops.py").read_text().count("opcheck:") == 1
    assert CliRunner().invoke(main, ["check", "--fail-on", "warning"]).exit_code == 0


def test_a_rule_is_named_once_for_all_its_findings_on_a_line() -> None:
    Path("pyproject.toml").write_text('[tool.opcheck.targets.serve]\nbackends = ["cuda", "xpu"]\n')
    Path("ops.py").write_text(
        "import torch\n\n@torch.library.custom_op('ns::f', mutates_args=(), device_types='cpu')\n"
        "def f(x: torch.Tensor) -> torch.Tensor:\n    return x.clone()\n"
    )

    assert _run().stderr.startswith("Ignored 2 findings by comments in 1 file.\n")
    assert "  # opcheck: ignore[OPC101] CuPy" in Path("ops.py").read_text()


def test_many_that_hang_on_one_guard_are_ignored_one_by_one() -> None:
    op = "\n@op(backends=['numpy', *(['cupy'] if other.ON else [])])\ndef f{n}(x: FloatArray): return x\n"
    ops = [op.format(n=n) for n in range(5)]
    Path("ops.py").write_text("import other\nfrom opcheck_runtime import FloatArray, op\n" + "".join(ops))

    assert _run().stderr.startswith("Ignored 5 findings by comments in 1 file.\n")


def test_what_cannot_be_ignored_is_left_and_still_reported() -> None:
    Path("ops.py").write_text("def (:\n")
    Path("more.py").write_text("x = 1  # opcheck: ignore[OPC1]\n")
    result = _run()

    assert result.exit_code == 1
    assert "error[OPC001]" in result.stdout
    assert Path("ops.py").read_text() == "def (:\n"
    Path("ops.py").write_text("")
    assert "OPC603" in _run().stdout


def test_a_line_that_goes_on_in_the_next_takes_no_comment() -> None:
    text = "import torch\n\ntorch.library.impl('math::f', 'cpu', lambda x: x) \\\n    if 1 else 0\n"
    Path("ops.py").write_text(text)

    assert "1 finding no comment can be written for" in _run().stderr
    assert Path("ops.py").read_text() == text


@pytest.mark.parametrize("reason", ["", "  ", "two\nlines"])
def test_a_reason_is_one_line(reason: str) -> None:
    result = _run(reason=reason)

    assert result.exit_code == 2
    assert result.stderr.startswith("error: --add-ignore needs a reason, in one line\n")


def test_what_only_shows_does_not_write() -> None:
    Path("ops.py").write_text(OP.format(declared='@op(backends=["numpy"])'))
    result = _run("--diff")

    assert result.exit_code == 2
    assert "--add-ignore and --diff exclude each other" in result.stderr
    assert "ignore[" not in Path("ops.py").read_text()

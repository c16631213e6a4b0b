"""Suppressing findings, as a user does it: by comments, and by ignores of the configuration."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.suppress.holes import CONFIG, TWO, codes, found, hole, put, run


@pytest.mark.smoke
def test_a_suppressed_finding_is_counted_and_does_not_fail_the_run(project: Path) -> None:
    hole("  # opcheck: ignore[OPC101] CuPy has to wait")

    result = run()

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "Read 1 file; checked 1 op under `serve`: 0 errors, 0 warnings, 1 suppressed.\n"


@pytest.mark.parametrize("rules", ["OPC101", "backend-not-supported", "OPC1", "OPC2, OPC101"])
def test_a_rule_is_named_as_everywhere(project: Path, rules: str) -> None:
    hole(f"  # opcheck: ignore[{rules}]")

    assert "OPC101" not in codes()


def test_other_rules_and_other_lines_are_still_reported(project: Path) -> None:
    hole("  # opcheck: ignore[OPC102]\n# opcheck: ignore[OPC101]")

    assert codes() == ["OPC101", "OPC603", "OPC603"]


def test_a_comment_counts_at_every_place_of_a_finding(project: Path) -> None:
    put(
        "use.py",
        "from ops import scale\n\n\ndef run(x):\n    return scale(  # opcheck: ignore[OPC101]\n        x,\n    2)\n",
    )
    assert codes() == []

    put(
        "use.py",
        "from ops import scale\n\n\ndef run(x):\n    return scale(\n        x,\n    2)  # opcheck: ignore[OPC101]\n",
    )
    assert codes() == []

    put(
        "use.py",
        "from ops import scale\n\n\ndef run(x):\n    return scale(\n        x,  # opcheck: ignore[OPC101]\n    2)\n",
    )
    assert codes() == ["OPC101", "OPC603"]


def test_a_comment_at_a_target_is_about_that_target(project: Path) -> None:
    ignored = CONFIG.replace("]\n", "]\n", 1).rstrip() + "  # opcheck: ignore[OPC101] not ported\n"
    put("pyproject.toml", ignored)
    assert codes() == []

    put("pyproject.toml", ignored + CONFIG.replace("serve", "train"))
    assert [(finding["code"], finding["targets"]) for finding in found()] == [("OPC101", ["train"])]
    assert run().stderr.endswith("1 error, 0 warnings, 1 suppressed.\n")


def test_a_comment_in_a_cpp_source_counts(project: Path) -> None:
    put("pyproject.toml", '[tool.opcheck.targets.serve]\nbackends = ["cpu", "cuda"]\n')
    put("ops.py", "import torch\ntorch.ops.load_library('ops.so')\n")
    put("ops.so", "")
    source = '#include <torch/library.h>\nTORCH_LIBRARY(ns, m) {{\n  m.def("f(Tensor x) -> Tensor");{comment}\n}}\n'
    kernel = 'TORCH_LIBRARY_IMPL(ns, CPU, m) {\n  m.impl("f", f);\n}\n'

    put("ops.cpp", source.format(comment="") + kernel)
    assert codes() == ["OPC101"]
    put("ops.cpp", source.format(comment=" // opcheck: ignore[OPC101] CPU only") + kernel)
    assert codes() == []


def test_ops_may_be_spared_a_rule(project: Path) -> None:
    hole("", "more.py")
    put("pyproject.toml", CONFIG + '[tool.opcheck.per-op-ignores]\n"ops.*" = ["backend-not-supported"]\n')

    assert [finding["op"] for finding in found()] == ["more.scale"]


def test_many_that_hang_on_one_guard_are_suppressed_one_by_one(project: Path) -> None:
    op = "\n@op(backends=['numpy', *(['cupy'] if other.ON else [])]){comment}\ndef f{n}(x: FloatArray): return x\n"
    ops = [op.format(n=n, comment="  # opcheck: ignore[OPC102]" if n == 0 else "") for n in range(5)]
    put("ops.py", "import other\nfrom opcheck_runtime import FloatArray, op\n" + "".join(ops))

    (finding,) = found()

    assert finding["op"] == "ops.f1"
    assert finding["notes"][-1] == "the same holds for 3 more: `ops.f2`, `ops.f3`, `ops.f4`"


CALL = "import cupy as cp\nfrom ops import scale\n\n\ndef run():\n    return scale(cp.ones(3), 2.0){comment}\n"


def test_a_call_that_runs_into_a_suppressed_finding_is_suppressed_with_it(project: Path) -> None:
    put("pyproject.toml", TWO + CONFIG.replace("serve", "train"))
    put("use.py", CALL.format(comment=""))
    assert codes() == ["OPC101"]

    hole("  # opcheck: ignore[OPC101]")
    assert codes() == []

    hole("")
    put("use.py", CALL.format(comment="  # opcheck: ignore[OPC101]"))
    assert codes() == []


def test_a_call_is_suppressed_where_it_is_a_finding_of_its_own(project: Path) -> None:
    put("pyproject.toml", '[tool.opcheck.targets.laptop]\nbackends = ["numpy"]\n')
    put("use.py", CALL.format(comment=""))
    assert codes() == ["OPC501"]

    put("use.py", CALL.format(comment="  # opcheck: ignore[OPC501]"))
    assert codes() == []

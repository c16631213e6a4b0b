"""What a target stands for, and which targets are inferred where none is configured."""

from __future__ import annotations

from pathlib import Path

from opcheck.adapters import FRAMEWORKS
from opcheck.config import unconfigured
from opcheck.discovery import files_at
from opcheck.read import read
from opcheck.targets import inferred, machines
from opcheck_rules.model.project import Project
from opcheck_rules.model.target import Target


def _project(folder: Path, source: str) -> Project:
    path = folder / "pkg.py"
    path.write_text(source)
    return read(unconfigured(folder), files_at(folder, (path,), frozenset({path}))).project


def _machines(*backends: str) -> list[tuple[str, ...]]:
    return [target.backends for target in machines(Target("t", backends), FRAMEWORKS.values())]


def test_a_target_with_one_accelerator_is_one_machine() -> None:
    assert _machines("cpu", "cuda") == [("cpu", "cuda")]
    assert _machines("numpy", "cupy") == [("numpy", "cupy")]


def test_a_target_with_several_accelerators_is_a_machine_for_each() -> None:
    assert _machines("cpu", "cuda", "numpy", "mps") == [("cpu", "cuda", "numpy"), ("cpu", "numpy", "mps")]


def test_a_target_is_inferred_for_each_framework_in_use(tmp_path: Path) -> None:
    project = _project(
        tmp_path,
        """
import torch
from opcheck_runtime import FloatArray, op
@op(backends=["cupy"])
def f(x: FloatArray) -> FloatArray: return x
torch.library.define("ns::a", "(Tensor x) -> Tensor")
torch.library.impl("ns::a", ["cuda", "cpu"], f)
torch.library.impl("ns::undefined", "xpu", f)
""",
    )

    assert [(t.name, t.backends, t.inferred, t.all_features) for t in inferred(project)] == [
        ("inferred-native", ("cupy",), True, True),
        ("inferred-torch", ("cpu", "cuda"), True, True),
    ]


def test_ops_that_serve_every_backend_alike_are_shown_on_the_one_every_machine_has(tmp_path: Path) -> None:
    source = """
import torch
@torch.library.custom_op("ns::a", mutates_args=())
def a(x: torch.Tensor) -> torch.Tensor: ...
"""

    assert [t.backends for t in inferred(_project(tmp_path, source))] == [("cpu",)]


def test_without_ops_nothing_is_inferred(tmp_path: Path) -> None:
    assert inferred(_project(tmp_path, "x = 1")) == []

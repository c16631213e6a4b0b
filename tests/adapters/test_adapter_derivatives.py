"""Which kernel hides a gradient, and which calls a derivative rule makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from .adapter_findings import findings

TRAINED = ("--backend", "cpu", "--backend", "cuda", "--autodiff")


def shadowed(folder: Path, *kernels: str, guard: str = "") -> list[tuple[str | None, str, str | None]]:
    """The backend, severity and condition of each gradient hidden by kernels that are registered in order."""
    lines = [f'lib.impl("op", {kernel})' for kernel in kernels]
    if guard:
        lines[0] = f"if {guard}: {lines[0]}"
    text = "\n".join(
        [
            "import torch",
            "lib = torch.library.Library('ns', 'DEF')",
            "lib.define('op(Tensor x) -> Tensor')",
            *lines,
            "def loss(x): return torch.ops.ns.op(x).sum()",
        ]
    )
    found = findings(folder, "OPC205", text, *TRAINED)
    return [(finding["backend"], finding["severity"], finding["condition"]) for finding in found]


PLAIN, OPAQUE = "lambda x: x * 2", "lambda x: torch.from_numpy(x.numpy() * 2)"
IMPLICIT = f'{PLAIN}, "CompositeImplicitAutograd"'


def test_a_kernel_of_a_backend_hides_the_gradient_there(tmp_path: Path) -> None:
    assert shadowed(tmp_path, IMPLICIT, f'{OPAQUE}, "CPU"') == [("cpu", "error", None)]


def test_one_that_autograd_sees_through_may_come_out_right(tmp_path: Path) -> None:
    assert shadowed(tmp_path, IMPLICIT, f'{PLAIN}, "CPU"') == [("cpu", "warning", None)]


def test_an_explicit_composite_kernel_that_came_first_hides_it_everywhere(tmp_path: Path) -> None:
    explicit = f'{OPAQUE}, "CompositeExplicitAutograd"'
    assert shadowed(tmp_path, explicit, IMPLICIT) == [(None, "error", None)]
    assert not shadowed(tmp_path, IMPLICIT, explicit)


def test_a_backend_that_has_no_gradient_in_any_world_is_a_certain_fault(tmp_path: Path) -> None:
    """Where the guard fails there is no composite kernel, whose gradient could be hidden: nor is there one at all."""
    found = shadowed(tmp_path, IMPLICIT, f'{OPAQUE}, "CPU"', guard="torch.backends.mkldnn.is_available()")

    assert found == [("cpu", "error", None)]


@pytest.mark.parametrize("kernels", [[IMPLICIT], [f'{OPAQUE}, "CPU"'], [IMPLICIT, f'{PLAIN}, "XPU"']])
def test_nothing_is_hidden_by_what_no_call_of_the_target_runs(tmp_path: Path, kernels: list[str]) -> None:
    assert not shadowed(tmp_path, *kernels)


def backward_calls(folder: Path, rule: str, register: str) -> list[str]:
    text = f"""
import torch
lib = torch.library.Library("ns", "DEF")
lib.define("bwd(Tensor x) -> Tensor")
lib.impl("bwd", lambda x: x, "CUDA")
lib.define("fwd(Tensor x) -> Tensor")
lib.impl("fwd", lambda x: x, "CPU")
{rule}
{register}
"""
    return [finding["op"] for finding in findings(folder, "OPC204", text, *TRAINED)]


@pytest.mark.parametrize(
    ("rule", "register"),
    [
        ("", 'torch.library.register_autograd("ns::fwd", lambda ctx, g: torch.ops.ns.bwd(g))'),
        ("def rule(ctx, g):\n    return torch.ops.ns.bwd(g)", 'torch.library.register_autograd("ns::fwd", rule)'),
    ],
)
def test_a_call_in_a_derivative_rule_is_one_of_backward(tmp_path: Path, rule: str, register: str) -> None:
    assert backward_calls(tmp_path, rule, register) == ["ns::bwd"]


@pytest.mark.parametrize(
    ("rule", "register"),
    [
        ("def rule(ctx, g):\n    return torch.ops.ns.bwd(g)", ""),
        ("", 'torch.library.register_autograd("ns::fwd", torch.ops.ns.bwd)'),
        ("", 'torch.library.register_fake("ns::fwd", lambda x: torch.ops.ns.bwd(x))'),
        ("", "torch.library.register_autograd(name, lambda ctx, g: torch.ops.ns.bwd(g))"),
    ],
)
def test_a_call_elsewhere_is_none(tmp_path: Path, rule: str, register: str) -> None:
    assert not backward_calls(tmp_path, rule, register)

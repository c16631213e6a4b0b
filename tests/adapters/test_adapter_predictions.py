"""The errors that PyTorch's registrations and kernels are said to end in."""

from __future__ import annotations

import pytest

from opcheck_rules.model.finding import PredictedError

from .conftest import Reader

DEFINED = """\
import torch
torch.library.define("ns::op", "(Tensor x) -> Tensor")
"""


@pytest.mark.parametrize("kernel", ["lambda x: sort(x.numpy())", "lambda x: sort(x.contiguous().cpu().numpy())"])
def test_an_input_that_wants_a_gradient_is_not_taken_to_numpy(reader: Reader, kernel: str) -> None:
    read = reader(f"{DEFINED}torch.library.impl('ns::op', 'cpu', {kernel})\n")

    error = read.cell("ns::op", "cpu", "autodiff").outcomes[0].outcome.error

    assert error == PredictedError("call", "RuntimeError", "Can't call numpy() on Tensor that requires grad.")
    assert read.cell("ns::op", "cuda", "autodiff").outcomes[0].outcome.error != error


@pytest.mark.parametrize(
    "kernel", ["lambda x: sort(x.detach().numpy())", "lambda x: sort((x * 2).numpy())", "external", "numpy(x)"]
)
def test_what_wants_no_gradient_is_taken_to_numpy(reader: Reader, kernel: str) -> None:
    read = reader(f"{DEFINED}from other import external\ntorch.library.impl('ns::op', 'cpu', {kernel})\n")

    error = read.cell("ns::op", "cpu", "autodiff").outcomes[0].outcome.error

    assert error is not None
    assert (error.when, error.type) == ("backward", "UserWarning")


FAKE = "torch.library.register_fake('ns::no', lambda x: x)\n"
META = "torch.library.Library('ns', 'FRAGMENT').impl('no', lambda x: x, 'Meta')\n"
KERNEL = "torch.library.impl('ns::no', 'cpu', lambda x: x)\n"


@pytest.mark.parametrize("fake", [FAKE, META])
def test_a_fake_kernel_for_an_op_that_is_not_there_raises(reader: Reader, fake: str) -> None:
    for before, after in (("", ""), ("", KERNEL), (f"if unknown(): {KERNEL}", "")):
        read = reader(f"{DEFINED}from other import unknown\n{before}{fake}{after}")

        errors = [r.undefined_error for r in read.registrations("ns::no") if r.undefined_error]

        assert errors == [PredictedError("import", "RuntimeError", "operator ns::no does not exist")]


@pytest.mark.parametrize("fake", [FAKE, META])
def test_a_kernel_that_came_before_lets_a_fake_one_be_accepted(reader: Reader, fake: str) -> None:
    read = reader(f"{DEFINED}{KERNEL}{fake}")

    assert [r.undefined_error for r in read.registrations("ns::no")] == [None, None]

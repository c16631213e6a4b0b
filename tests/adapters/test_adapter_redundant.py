"""Fake kernels that a composite kernel makes an error: which do, by which order and interface."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.live.fake_kernels import HEAD, PROGRAMS

from .adapter_findings import findings
from .conftest import Reader


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_redundant_fake_kernel_is_predicted_in_the_words_of_pytorch(name: str, tmp_path: Path) -> None:
    text, beginning = PROGRAMS[name]
    found = findings(tmp_path, "OPC408", (HEAD + text).replace("NS", "shop"), "--backend", "cpu")

    errors = [finding["predicted_error"] for finding in found]
    assert [(e["when"], e["type"]) for e in errors] == [("import", "RuntimeError")] * (beginning is not None)
    assert all(e["message"].startswith((beginning or "").replace("NS", "shop")) for e in errors)


TWO_PROGRAMS = {
    "pkg.py": HEAD.replace("NS", "shop") + 'define("shop::op", "(Tensor x) -> Tensor")\n',
    "one.py": 'import pkg, torch\ntorch.library.impl("shop::op", "CompositeImplicitAutograd", pkg.f)',
    "two.py": 'import pkg, torch\ntorch.library.register_fake("shop::op", pkg.f)',
}


def test_what_no_program_has_together_is_no_error(reader: Reader) -> None:
    (registration,) = reader(TWO_PROGRAMS).registrations("shop::op", "fake")

    assert registration.redundant is None


FUNCTIONS = """
import torch

torch.library.define("shop::op", "(Tensor x) -> Tensor")

def composite():
    torch.library.impl("shop::op", "CompositeImplicitAutograd", lambda x: x)

def fake():
    torch.library.register_fake("shop::op", lambda x: x)
"""


def test_which_function_is_called_first_is_open(reader: Reader) -> None:
    (apart,) = reader(FUNCTIONS).registrations("shop::op", "fake")
    (after,) = reader(f"{FUNCTIONS}composite()").registrations("shop::op", "fake")

    assert apart.redundant is None
    assert after.redundant is not None
    assert after.redundant.condition.render() == "called:pkg.fake"


def test_what_a_handler_takes_does_not_go_on(reader: Reader) -> None:
    read = reader(
        """
        import torch

        torch.library.define("shop::op", "(Tensor x) -> Tensor")
        torch.library.define("shop::other", "(Tensor x) -> Tensor")
        torch.library.impl("shop::op", "CompositeImplicitAutograd", lambda x: x)
        try:
            torch.library.register_fake("shop::op", lambda x: x)
            torch.library.impl("shop::other", "cpu", lambda x: x)
        except RuntimeError:
            torch.library.impl("shop::other", "cuda", lambda x: x)
        """
    )

    assert (read.status("shop::other", "cpu"), read.status("shop::other", "cuda")) == ("hole", "covered:CUDA")

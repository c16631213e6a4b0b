"""What the guards in a kernel's body come to for the backend of its input."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from .adapter_findings import findings

BACKENDS = ("cpu", "cuda", "xpu")
ARGUMENTS = ("--backend", "cpu", "--backend", "cuda", "--backend", "xpu")
HEAD = """
import contextlib
import os
import numpy as np
import torch

GPU = False
KINDS = ("cpu", "xpu")
STATE = False
FAST = "FAST" in os.environ

def prepare():
    global STATE
    STATE = True

def only_host(y, what=""):
    assert y.device.type == "cpu", "host"

def host(tensor):
    only_host(tensor)

def deep(tensor):
    host(tensor)

def deeper(tensor):
    deep(tensor)

def later(tensor, flag):
    if flag:
        raise RuntimeError("flagged")
"""


def refused(folder: Path, body: str, parameters: str = "x: torch.Tensor, n: int") -> set[str]:
    """The backends that an op with this body refuses."""
    text = f"""{HEAD}
@torch.library.custom_op("ns::op", mutates_args=())
def kernel({parameters}) -> torch.Tensor:
{indent(body, "    ")}
    return x.clone()
"""
    return {finding["backend"] for finding in findings(folder, "OPC105", text, *ARGUMENTS)}


@pytest.mark.parametrize(
    ("body", "backends"),
    [
        ("assert x.is_cpu", {"cuda", "xpu"}),
        ("assert not x.is_cuda", {"cuda"}),
        ("assert x.device.type != 'cpu', 'no host tensors'", {"cpu"}),
        ("assert x.device.type in KINDS", {"cuda"}),
        ("assert x.device.type not in ['cuda', 'hpu']", {"cuda"}),
        ("assert x.is_cuda or x.is_cpu", {"xpu"}),
        ("assert x.is_cpu and n > 0", {"cuda", "xpu"}),
        ("assert (not x.is_cuda) is True", {"cuda"}),
        ("assert x.device == torch.device('cpu')", {"cuda", "xpu"}),
        ("assert torch.device('cuda') != x.device", set()),
        ("assert str(x.device).startswith('cuda')", {"cpu", "xpu"}),
        ("assert 'cuda' in str(x.device)", {"cpu", "xpu"}),
        ("assert x.device.type.startswith('c')", {"xpu"}),
        ("assert x.is_meta", {"cpu", "cuda", "xpu"}),
        ("if x.is_cuda: raise RuntimeError(f'no {n}')", {"cuda"}),
        ("if x.is_cuda: raise", {"cuda"}),
        ("if not x.is_cuda:\n    if not GPU:\n        raise RuntimeError('no')", {"cpu", "xpu"}),
        ("if x.is_cuda:\n    return x\nelif x.is_cpu:\n    raise ValueError\nelse:\n    pass", {"cpu"}),
        ("device = x.device\nkind: str = device.type\nassert kind == 'cpu'", {"cuda", "xpu"}),
        ("only_host(x)", {"cuda", "xpu"}),
        ("only_host(what='', y=x)", {"cuda", "xpu"}),
        ("y = host(x)", {"cuda", "xpu"}),
        ("return host(x)", {"cuda", "xpu"}),
        ("torch._check(x.is_cpu, lambda: 'host')", {"cuda", "xpu"}),
        ("torch._check_value(x.is_cpu)", {"cuda", "xpu"}),
        ("with torch.no_grad() as guard:\n    assert x.is_cpu", {"cuda", "xpu"}),
        ("for i in range(n): pass\nassert x.is_cpu", {"cuda", "xpu"}),
        ("if n: n = 1\nelse: n = 2\nassert x.is_cpu", {"cuda", "xpu"}),
        ("if n: raise ValueError\nassert x.is_cpu", {"cuda", "xpu"}),
        ("if n: n += 1\nelse: raise ValueError\nassert x.is_cpu", {"cuda", "xpu"}),
        ("if n: assert x.is_cpu\nelse: assert x.is_xpu", {"cuda"}),
    ],
)
def test_a_guard_that_only_the_device_decides_is_decided(tmp_path: Path, body: str, backends: set[str]) -> None:
    assert refused(tmp_path, body) == backends


@pytest.mark.parametrize(
    "body",
    [
        "assert n > 0",
        "assert -n < 0 < n",
        "assert x.dim() == 2 or x.is_cuda",
        "assert not (x.is_cuda and n)",
        "assert x.device.index == 0",
        "assert x.device == 'cpu'",
        "assert x.device == torch.device('cuda:1')",
        "assert x.device < torch.device('hpu')",
        "assert x.device in (torch.device('cpu'),)",
        "assert x.device.type in KINDS or FAST",
        "assert 1 in 2",
        "assert isinstance(x, np.ndarray)",
        "assert str(n) == 'cpu'",
        "assert str(x.device).startswith('cuda:')",
        "assert n.startswith('c')",
        "if x.is_cuda and not STATE: raise RuntimeError('not prepared')",
        "x = x.cpu()\nassert x.is_cpu",
        "x, n = x.cpu(), 1\nassert x.is_cpu",
        "x += 1\nassert x.is_cpu",
        "for x in range(n): pass\nassert x.is_cpu",
        "if n: x = x.cpu()\nassert x.is_cpu",
        "if n: return x\nassert x.is_cpu",
        "if n: return x\nelse: raise ValueError\nassert x.is_cpu",
        "if n: raise ValueError\nelse: return x\nassert x.is_cpu",
        "for i in range(n): return x\nassert x.is_cpu",
        "try:\n    assert x.is_cpu\nexcept AssertionError:\n    x = x.cpu()",
        "with contextlib.suppress(AssertionError):\n    assert x.is_cpu",
        "deeper(x)",
        "only_host(*[x])",
        "only_host(n, **{})",
        "only_host(x.cpu())",
        "later(x, x.is_sparse)",
        "torch._check(n > 0)",
        "torch._check()",
        "x: torch.Tensor",
        "def inner(): assert x.is_cpu",
    ],
)
def test_what_hangs_on_more_than_the_device_is_left_alone(tmp_path: Path, body: str) -> None:
    assert not refused(tmp_path, body)


def test_a_body_that_raises_wherever_its_input_lies_refuses_no_backend(tmp_path: Path) -> None:
    assert not refused(tmp_path, "n = 1\nraise NotImplementedError")


def test_only_the_tensor_that_the_kernel_was_chosen_by_is_on_the_backend_for_certain(tmp_path: Path) -> None:
    assert not refused(tmp_path, "assert index.is_cpu", "x: torch.Tensor, index: torch.Tensor")
    assert refused(tmp_path, "assert x.is_cpu", 'n: int, x: "torch.Tensor"') == {"cuda", "xpu"}
    assert not refused(tmp_path, "assert x.is_cpu", "n: int, x: list[torch.Tensor]")


@pytest.mark.parametrize(
    ("kernel", "backends"),
    [
        ("functools.partial(kernel, by=2)", {"cuda", "xpu"}),
        ("functools.partial(kernel, 2)", set[str]()),
        ("lambda x: x.clone()", set[str]()),
        ("torch.clone", set[str]()),
    ],
)
def test_a_kernel_is_looked_at_through_what_its_keywords_are_given_by(
    tmp_path: Path, kernel: str, backends: set[str]
) -> None:
    text = f"""
    import functools
    import torch

    def kernel(x, by=1):
        assert x.is_cpu
        return x

    torch.library.define("ns::op", "(Tensor x) -> Tensor")
    torch.library.impl("ns::op", "default", {kernel})
    """
    assert {finding["backend"] for finding in findings(tmp_path, "OPC105", text, *ARGUMENTS)} == backends


@pytest.mark.parametrize(
    ("test", "backends"),
    [
        ("isinstance(x, np.ndarray)", {"cupy"}),
        ("not isinstance(x, np.ndarray)", {"numpy"}),
        ("isinstance(x, (np.ndarray, cupy.ndarray))", set[str]()),
        ("isinstance(x, (np.ndarray, list))", set[str]()),
        ("isinstance(by, np.ndarray)", set[str]()),
    ],
)
def test_an_array_is_told_by_its_type(tmp_path: Path, test: str, backends: set[str]) -> None:
    text = f"""
    import cupy
    import numpy as np
    from opcheck_runtime import FloatArray, op

    @op(backends=["numpy", "cupy"])
    def scale(x: FloatArray, by: float) -> FloatArray:
        assert {test}
        return x * by
    """
    found = findings(tmp_path, "OPC105", text, "--backend", "numpy", "--backend", "cupy")
    assert {finding["backend"] for finding in found} == backends

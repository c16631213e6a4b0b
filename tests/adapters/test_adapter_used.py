"""What a call brings to an op, by the op's own parameters."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from .adapter_findings import findings
from .conftest import Reader

NATIVE = """
import cupy as cp
import numpy as np
import torch
from numpy.typing import NDArray
from opcheck_runtime import FloatArray, IntArray, op, track

@op(backends=["numpy", "cupy"])
def pick(index: IntArray, x: FloatArray, by=None, *, weights: "FloatArray | None" = None) -> FloatArray:
    return x

@op(backends=["numpy", "cupy"])
def typed(i: NDArray[np.int64], x: NDArray[np.float32]) -> FloatArray:
    return x

@op(backends=["numpy"])
def twice(x: FloatArray) -> FloatArray:
    return x

if torch.cuda.is_available():
    @op(backends=["numpy"])
    def twice(x: FloatArray) -> FloatArray:
        return x
"""

NATIVE_CALLS = {
    "pick(np.arange(3), np.ones(3))": ("numpy", None, False),
    "pick(i, cp.ones(3))": ("cupy", None, False),
    "pick(np.arange(3), cp.ones(3))": ("cupy", "`index` holds a `numpy` array", False),
    "pick(x=np.ones(3), index=np.arange(3), weights=cp.ones(3))": ("numpy", "`weights` holds a `cupy` array", False),
    "pick(i, np.ones(3), weights=cp.ones(3))": ("numpy", None, False),
    "pick(np.arange(3), 2.0)": ("numpy", None, False),
    "pick(np.arange(3), 2.0, weights=cp.ones(3))": ("cupy", "`index` holds a `numpy` array", False),
    "pick(1, 2.0)": (None, None, False),
    "pick(np.arange(3), i)": (None, None, False),
    "pick(np.arange(3), 'numpy')": (None, None, False),
    "pick(np.arange(3), torch.ones(3, device='cpu'))": (None, None, False),
    "pick(1, track(np.ones(3)))": ("numpy", None, True),
    "pick(1, track(i))": (None, None, True),
    "pick(track(np.ones(3)), np.ones(3))": ("numpy", None, False),
    "pick(1, np.ones(3), track(i))": ("numpy", None, False),
    "pick(*i)": (None, None, False),
    "pick(np.arange(3))": (None, None, False),
    "pick(np.arange(3), np.ones(3), 1, 2)": (None, None, False),
    "pick(np.arange(3), np.ones(3), nothing=1)": (None, None, False),
    "typed(np.arange(3), cp.ones(3))": ("cupy", "`i` holds a `numpy` array", False),
    "twice(np.ones(3))": (None, None, False),
}


@pytest.mark.parametrize("call", NATIVE_CALLS)
def test_a_native_call_is_routed_as_the_runtime_does(reader: Reader, call: str) -> None:
    (use,) = reader(f"{NATIVE}\ndef f(i):\n    return {call}\n").reading.project.uses
    backend, conflict, tracked = NATIVE_CALLS[call]

    assert (use.backend, use.wants_gradient) == (backend, tracked)
    assert (conflict is None) is (use.mixed_error is None)
    assert (conflict or "") in (use.mixed_error.message if use.mixed_error else "")


TORCH = """
import torch

lib = torch.library.Library("ns", "DEF")
lib.define("op(Tensor x, int n, Tensor? y=None, *, Tensor[] more=[]) -> Tensor")
lib.define(make())

@torch.library.custom_op("ns::custom", mutates_args=(), schema=make())
def custom(x, y): return x
"""

TORCH_CALLS = {
    "torch.ops.ns.op(i.cpu(), i)": ("cpu", False),
    "torch.ops.ns.op(i.cpu(), i, None)": ("cpu", False),
    "torch.ops.ns.op(i.cpu(), n=i, y=i.cpu())": ("cpu", False),
    "torch.ops.ns.op(i.cpu(), i, i.cuda())": (None, False),
    "torch.ops.ns.op(i.cpu(), i, i)": (None, False),
    "torch.ops.ns.op(i.cpu(), i, more=[i])": (None, False),
    "torch.ops.ns.op(i.cpu(), i, i.cpu().requires_grad_())": ("cpu", True),
    "torch.ops.ns.op(i)": (None, False),
    "custom(i.cpu(), i)": (None, False),
    "custom(i.cpu(), 1)": ("cpu", False),
    "torch.ops.ns.other(i.cpu())": (None, False),
}


@pytest.mark.parametrize("call", TORCH_CALLS)
def test_every_tensor_of_a_call_has_to_be_evident(reader: Reader, call: str) -> None:
    uses = reader(f"{TORCH}\ndef f(i):\n    return {call}\n").reading.project.uses

    assert [(use.backend, use.wants_gradient) for use in uses] == [TORCH_CALLS[call]]


HANDLED: dict[str, set[str]] = {
    "NotImplementedError": {"NotImplementedError", "BackendNotSupportedError", "AutodiffNotSupportedError"},
    "TypeError": {"MixedBackendsError"},
    "ValueError": set(),
}


@pytest.mark.parametrize("caught", HANDLED)
def test_a_handler_takes_what_derives_from_its_exception(reader: Reader, caught: str) -> None:
    text = f"def f(i):\n    try:\n        return pick(i, i)\n    except {caught}:\n        pass\n"
    (use,) = reader(NATIVE + text).reading.project.uses

    assert use.handled == HANDLED[caught]


def in_function(body: str) -> str:
    return f"\ndef use(x):\n{indent(body, '    ')}\n"


def reported(folder: Path, text: str) -> list[Any]:
    head = "import torch\nif torch.cuda.is_available():\n    torch.library.define('ns::op', '(Tensor x) -> Tensor')\n"
    return findings(folder, "OPC504", head + text, "--backend", "cpu")


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("OPS = [torch.ops.ns.op]", "import"),
        ("class C:\n    op = torch.ops.ns.op.default", "import"),
        ("def f(x, op=torch.ops.ns.op): return op(x)", "import"),
        ("@torch.ops.ns.op\ndef f(x): return x", "import"),
        ("if __name__ == '__main__':\n    torch.ops.ns.op(1)", None),
        (in_function("return map(torch.ops.ns.op, x)"), "call"),
        (in_function("ops = torch.ops.ns\nreturn ops.op(x)"), "call"),
        (in_function("try:\n    return torch.ops.ns.op(x)\nexcept ValueError:\n    raise"), None),
        (in_function("try:\n    op = torch.ops.ns.op\nexcept AttributeError:\n    return x\nreturn op(x)"), None),
        (in_function("try:\n    x()\nexcept AttributeError:\n    pass\nreturn torch.ops.ns.op(x)"), "call"),
        ("try:\n    OP = torch.ops.ns.op\nexcept AttributeError:\n    OP = None", None),
        ("OP = torch.ops.ns.op if hasattr(torch.ops.ns, 'op') else None", None),
        ("OP = getattr(torch.ops.ns, 'op', None)", None),
        ("if torch.cuda.is_available():\n    def f(x): return torch.ops.ns.op(x)", None),
        ("torch.ops.ns.never(1)", None),
    ],
)
def test_a_reference_is_looked_up_where_it_stands(tmp_path: Path, text: str, when: str | None) -> None:
    found = reported(tmp_path, text)

    assert [finding["predicted_error"]["when"] for finding in found] == [when] * (when is not None)


def test_uses_are_reported_by_function(tmp_path: Path) -> None:
    text = "def f(x):\n    y = torch.ops.ns.op(x)\n    return torch.ops.ns.op(y)\ndef g(x): return torch.ops.ns.op(x)\n"

    assert [len(finding["spans"]) for finding in reported(tmp_path, text)] == [3, 2]

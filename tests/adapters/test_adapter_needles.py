"""What tells a file that may declare or use an op."""

from __future__ import annotations

import pytest

from opcheck.adapters.needles import declares

TOLD = (
    "from opcheck_runtime import op",
    "torch.library.define('ns::op', '()')",
    "from torch import library",
    "from torch import (\n    nn,\n    ops,\n)",
    "torch._library.custom_ops.custom_op",
    "import torch as t\nt.library.define('ns::op', '()')",
    "t = torch\nt.ops.ns.op(x)",
    "torch.ops.load_library(path)",
    "torch.ops.ns.op(x)",
    "torch.ops['ns']",
    "torch.ops.aten_ns.op(x)",
)
UNTOLD = (
    "",
    "import torch",
    "torch.ops.aten.add(x, y)",
    "from torch import nn\nlibrary = 1",
    "torch._library.effects",
    "import torch as t\nt.nn",
    "from fla.ops import library",
)


@pytest.mark.parametrize("comment", ["# as torch.library does", "x = 1  # torch.library, then torch.library.impl"])
def test_a_comment_spells_nothing(comment: str) -> None:
    assert not declares(f"{comment}\n".encode())
    assert declares(f"{comment}\nimport torch.library\n".encode())
    assert declares(f"x = '#'  {comment}\n".encode()), "a text may begin before the mark"


@pytest.mark.parametrize("text", TOLD)
def test_what_spells_an_api_is_told(text: str) -> None:
    assert declares(text.encode() + b"\n")


@pytest.mark.parametrize("text", UNTOLD)
def test_what_spells_none_is_not(text: str) -> None:
    assert not declares(text.encode() + b"\n")

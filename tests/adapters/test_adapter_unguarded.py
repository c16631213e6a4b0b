"""Which uses of an op that may be undefined stand under a guard."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from .adapter_findings import findings
from .conftest import Reader

HEAD = """
import torch

lib = torch.library.Library("ns", "DEF")
other = torch.ops

def setup():
    lib.define("op(Tensor x) -> Tensor")
    lib.impl("op", lambda x: x, "CPU")

def prepare():
    setup()

if torch.cuda.is_available():
    lib.define("gpu(Tensor x) -> Tensor")
    lib.impl("gpu", lambda x: x, "CUDA")
"""


def reported(folder: Path, text: str) -> list[tuple[str, str]]:
    found = findings(folder, "OPC504", HEAD + text, "--backend", "cpu")
    return [(finding["op"], finding["severity"]) for finding in found]


def in_function(body: str) -> str:
    return f"\ndef use(x, flag=False):\n{indent(body, '    ')}\n"


CALL = "torch.ops.ns.op(x)"
CHAIN = "def outer(x):\n    return middle(x)\ndef middle(x):\n    return use(x)"
MAYBE = "class Layer:\n    def __init__(self, flag):\n        if flag:\n            setup()"


@pytest.mark.parametrize(
    "body",
    [
        f"return {CALL}",
        "return torch.ops.ns.op.default(x)",
        f"y = [{CALL} for x in x]",
        f"for x in x:\n    {CALL}\nelse:\n    pass",
        f"with torch.no_grad():\n    return {CALL}",
        f"try:\n    return {CALL}\nfinally:\n    pass",
        f"try:\n    pass\nexcept ValueError:\n    pass\nelse:\n    {CALL}",
        f"if {CALL}:\n    pass",
        f"if flag:\n    pass\n{CALL}",
        f"y = {CALL} and flag",
        f"match {CALL}:\n    case _:\n        pass",
        f"y = {CALL} if flag else x".replace(f"{CALL} if flag", f"x if {CALL}"),
        f"def later():\n    setup()\n{CALL}",
        "@torch.compile\ndef inner(y=x):\n    return y\n" + CALL,
        f"class Inner(torch.nn.Module):\n    y = 1\n{CALL}",
        f"{CALL}\nsetup()",
    ],
)
def test_a_use_that_no_guard_decides_is_reported(tmp_path: Path, body: str) -> None:
    assert reported(tmp_path, in_function(body)) == [("ns::op", "warning")]


@pytest.mark.parametrize(
    "body",
    [
        f"if flag:\n    return {CALL}",
        f"if flag:\n    pass\nelse:\n    return {CALL}",
        f"if flag:\n    return x\nreturn {CALL}",
        f"if flag:\n    pass\nelse:\n    raise ValueError\nreturn {CALL}",
        f"assert flag\nreturn {CALL}",
        f"while flag:\n    {CALL}",
        f"y = {CALL} if flag else x",
        f"y = flag and {CALL}",
        f"y = [{CALL} for x in x if flag]",
        f"match flag:\n    case True:\n        {CALL}",
        f"try:\n    return {CALL}\nexcept AttributeError:\n    return x",
        f"try:\n    pass\nexcept ValueError:\n    {CALL}",
        f"setup()\nreturn {CALL}",
        f"prepare()\nreturn {CALL}",
        f"y = setup()\nreturn {CALL}",
        f"setup()\ndef inner():\n    return {CALL}",
        "op = x.op\nreturn op(x)",
        "return x.op(x)",
    ],
)
def test_a_use_behind_any_test_or_after_the_definition_is_not(tmp_path: Path, body: str) -> None:
    assert not reported(tmp_path, in_function(body))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("def outer(x):\n    return use(x)", 1),
        ("def outer(x):\n    setup()\n    return use(x)", 0),
        ("def outer(x, flag):\n    return use(x) if flag else x", 0),
        (f"{CHAIN}\ndef first(x):\n    setup()\n    outer(x)", 0),
        (CHAIN, 1),
        ("class Layer:\n    def __init__(self):\n        use(self)\ndef make():\n    setup()\n    return Layer()", 0),
        ("class Layer:\n    def __init__(self):\n        use(self)\ndef make():\n    return Layer()", 1),
        ("class Layer:\n    def __init__(self):\n        setup()\n    def forward(self, x):\n        return use(x)", 0),
        ("class Layer:\n    def __init__(self):\n        setup()\ndef outer(x):\n    Layer()\n    return use(x)", 0),
        (f"{MAYBE}\ndef outer(x):\n    Layer(x)\n    return use(x)", 1),
        ("lib.define('twice(Tensor x) -> Tensor')\nlib.impl('twice', use, 'CPU')", 0),
    ],
)
def test_a_caller_may_see_to_the_definition(tmp_path: Path, text: str, count: int) -> None:
    assert len(reported(tmp_path, in_function(f"return {CALL}") + text)) == count


def test_callers_are_followed_only_so_far(tmp_path: Path) -> None:
    chain = "\n".join(f"def f{i}(x):\n    return f{i - 1}(x)" for i in range(1, 9))
    text = (
        in_function(f"return {CALL}") + f"def f0(x):\n    return use(x)\n{chain}\ndef last(x):\n    setup()\n    f8(x)"
    )

    assert len(reported(tmp_path, text)) == 1


def test_a_use_at_import_is_one_of_its_module(tmp_path: Path) -> None:
    found = findings(tmp_path, "OPC504", f"{HEAD}\nx = torch.ops.ns.gpu(torch.zeros(2))", "--backend", "cpu")

    assert [(finding["op"], finding["severity"]) for finding in found] == [("ns::gpu", "error")]
    assert found[0]["predicted_error"]["when"] == "import"


def test_an_object_that_a_guard_makes_is_no_name_of_the_dispatcher(tmp_path: Path) -> None:
    text = """
if torch.cuda.is_available():
    @torch.library.custom_op("other::op", mutates_args=())
    def op(x: torch.Tensor) -> torch.Tensor:
        return x.clone()

def use(x):
    return op(x)
"""
    assert not reported(tmp_path, text)


def test_the_guard_of_the_definition_is_decided_by_the_target(tmp_path: Path) -> None:
    text = HEAD + in_function("return torch.ops.ns.gpu(x)")

    assert findings(tmp_path, "OPC504", text, "--backend", "cpu")
    assert not findings(tmp_path, "OPC504", text, "--backend", "cuda")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("torch.library.register_fake('ns::gpu', lambda x: x)", 1),
        ("if torch.cuda.is_available(): torch.library.register_fake('ns::gpu', lambda x: x)", 0),
        ("try:\n    torch.library.register_fake('ns::gpu', lambda x: x)\nexcept RuntimeError:\n    pass", 0),
        ("torch.library.impl('ns::gpu', 'cpu', lambda x: x)", 0),
        ("def complete(): torch.library.register_fake('ns::op', lambda x: x)", 0),
        ("def complete(): torch.library.register_fake('ns::gpu', lambda x: x)", 1),
    ],
)
def test_a_registration_needs_its_op(tmp_path: Path, text: str, count: int) -> None:
    assert len(reported(tmp_path, f"\n{text}\n")) == count


def test_callers_that_all_have_one_name_are_looked_at_once(tmp_path: Path) -> None:
    layers = "\n".join(
        f"class Layer{i}:\n    def forward(self, x):\n        return [y.forward(x) for y in x] + use(x)"
        for i in range(300)
    )

    assert len(reported(tmp_path, in_function(f"return {CALL}") + layers)) == 1


def test_which_load_defines_an_op_is_known_of_one_in_the_same_file_alone(reader: Reader) -> None:
    load = "import torch\ntry:\n    torch.ops.load_library('ops.so')\nexcept OSError:\n    pass\n"
    fake = "torch.library.register_fake('ns::op', lambda x: x)\n"

    apart = reader({"pkg/__init__.py": load + "from . import fakes\n", "pkg/fakes.py": "import torch\n" + fake})
    together = reader(load + fake)

    assert [r.undefined_error is None for r in apart.registrations("ns::op")] == [True]
    assert [r.undefined_error is None for r in together.registrations("ns::op")] == [False]
